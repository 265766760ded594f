# Written by `python -m tests.front` from the table of names in nonholo/__init__.py.
from nonholo.control.feedback.riccati import Regulator as Regulator
from nonholo.control.feedback.riccati import lqr as lqr
