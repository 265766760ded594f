# Written by `python -m tests.front` from the table of names in nonholo/__init__.py.
from nonholo.control.controllability.control_affine import ControlAffine as ControlAffine
from nonholo.control.controllability.control_affine import control_affine as control_affine
from nonholo.control.controllability.control_affine import kinematic_system as kinematic_system
from nonholo.control.controllability.controllability import Controllability as Controllability
from nonholo.control.controllability.controllability import controllability as controllability
from nonholo.control.feedback.riccati import Regulator as Regulator
from nonholo.control.feedback.riccati import lqr as lqr
from nonholo.control.gaits.gait import Gait as Gait
from nonholo.control.gaits.gait import gait as gait
from nonholo.control.gaits.local_connection import connection as connection
from nonholo.control.gaits.local_connection import height as height
from nonholo.control.steering.kinematic_system import kinematic as kinematic
from nonholo.control.steering.steer import Steering as Steering
from nonholo.control.steering.steer import steer as steer
