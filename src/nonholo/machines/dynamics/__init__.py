"""Energies, forces, wheels and contacts of a machine, and all of them together (`assembly`)."""
