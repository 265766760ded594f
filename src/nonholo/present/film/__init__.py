"""Films: scenes, movies, film strips."""
