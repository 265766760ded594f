"""Read and check a user's definition: words to System."""
