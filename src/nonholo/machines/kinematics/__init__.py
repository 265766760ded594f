"""Poses and velocities of bodies: formulas, joints, the tree of bodies, loops."""
