# Written by `python -m tests.front` from the table of names in nonholo/__init__.py.
from nonholo.geometry.frames.frame import Chart as Chart
from nonholo.geometry.frames.frame import Euclidean as Euclidean
from nonholo.geometry.frames.frame import Frame as Frame
from nonholo.geometry.frames.frame import change_frame as change_frame
from nonholo.geometry.frames.frame import jacobi_law as jacobi_law
from nonholo.geometry.frames.frame import structure_functions as structure_functions
from nonholo.geometry.frames.frame_files import spatial as spatial
from nonholo.geometry.groups.lie_algebra import LieAlgebra as LieAlgebra
from nonholo.geometry.groups.lie_algebra import heisenberg as heisenberg
from nonholo.geometry.groups.lie_algebra import se as se
from nonholo.geometry.groups.lie_algebra import so as so
from nonholo.geometry.groups.matrix_groups import Quaternion as Quaternion
from nonholo.geometry.groups.matrix_groups import SE2 as SE2
from nonholo.geometry.groups.matrix_groups import SE3 as SE3
from nonholo.geometry.groups.matrix_groups import SO3 as SO3
from nonholo.geometry.groups.matrix_groups import Vertical as Vertical
from nonholo.geometry.groups.matrix_groups import rotation_matrix as rotation_matrix
