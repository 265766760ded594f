"""Machines: bodies, joints, wheels, contacts; robot files."""
