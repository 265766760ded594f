"""Machines: bodies, joints, wheels and contacts, assembled into a System."""
