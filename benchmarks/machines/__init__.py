"""Machines beside MuJoCo and Pinocchio: the same files, the same machine, the same processor.

``python -m benchmarks machines`` measures slip, energy and speed of coin, bicycle, snake and car; ``python -m benchmarks
machines.robot_files`` compares the robots of the folder ``ROBOTS`` of the environment. ``pip install mujoco pin`` gives both
peers; robots are in the wheels of ``pybullet``, ``example-robot-data``, ``dm_control`` and ``gymnasium``.
"""

from benchmarks.machines.beside_mujoco import table

__all__ = ["table"]
