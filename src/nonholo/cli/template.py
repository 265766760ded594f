"""The files that ``nonholo new`` writes."""

MACHINE = '''\
# A machine in bodies, joints, wheels and contacts; it becomes a system, so that every question works. Ask about it:
#   nonholo check NAME.toml            do all derivations agree, does energy balance?
#   nonholo simulate NAME.toml --until 10 --plot x,y
# In Python: system = nh.load("NAME.toml"); print(system.machine) says what was understood.

name = "NAME"

# "plane": seen from above, bodies have x, y and a heading. "space": z is up, bodies have shapes and [[contacts]] with the ground.
world = "plane"

# Every number may be text in the parameters below. The first body moves freely; its coordinates are x, y, theta.
[[bodies]]
name = "robot"
mass = "m"
inertia = "J"
center = ["a", 0]
free = "x y theta"

[[bodies]]
name = "trailer"
mass = 2.0
inertia = 0.3

# The trailer hangs on a hinge behind the robot: at in the parent's frame, in_child in the child's.
# Other types: slider, cylindrical, universal, ball, planar, weld, free; [[loops]] close a chain of bodies.
[[joints]]
type = "hinge"
name = "beta"
parent = "robot"
child = "trailer"
at = [-0.3, 0]
in_child = [0.9, 0]

# A wheel with a radius has an angle of its own (its name) and rolls; without one it only does not slip sideways.
# steer = "delta" gives it a steering angle, roller = "pi/4" makes it a mecanum wheel.
[[wheels]]
body = "robot"
name = "right"
at = [0, -0.25]
radius = 0.1
inertia = 0.02
motor = "torque_r"

[[wheels]]
body = "robot"
name = "left"
at = [0, 0.25]
radius = 0.1
inertia = 0.02
motor = "torque_l"

[[wheels]]
body = "trailer"

# A wheel that trails behind its own hinge: inertia of the fork about the vertical, of the wheel about its axle.
[[casters]]
body = "robot"
name = "caster"
at = [0.3, 0]
trail = 0.05
radius = 0.04
inertia = [0.01, 0.0004]

# Forces: springs and dampers, motors, loads.
[[springs]]
joint = "beta"
damping = 0.02

# What the motors do.
[inputs]
torque_r = "0.3*(1 + sin(t))*exp(-t/4)"
torque_l = "0.3*(1 - sin(t))*exp(-t/4)"

[parameters]
m = 9.0
J = 0.5
a = 0.1

# Starts as people say them: heading, speed, position, in space also tilt; or coordinates and rates by name.
[start]
heading = 0.2
speed = 0.5
beta = 0.1
'''
"""A machine, commented."""

TEMPLATE = '''\
# A mechanical system with velocity constraints. Ask about it:
#   nonholo derive NAME.toml           its equations of motion
#   nonholo check NAME.toml            do all derivations agree, does energy balance?
#   nonholo simulate NAME.toml --until 10 --plot x,y

name = "NAME"

# Coordinates; the rate of x is called xdot.
coordinates = "theta x y"

# Kinetic minus potential energy. Numbers, names, + - * / **, sin cos tan exp log sqrt Abs Piecewise and so on.
# Never put the constraints into it: that changes the motion.
lagrangian = """
m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2)
+ J/2*thetadot**2"""

# Expressions that vanish: here the blade does not slip sideways. Linear, affine or nonlinear in the rates.
constraints = ["ydot*cos(theta) - xdot*sin(theta)"]

# Relations between the coordinates alone, also as expressions that vanish.
# holonomic = ["x**2 + y**2 - 1"]

# Quantities that you control from outside, with what they do (or inputs = "tau" here and --input "tau=…" later).
# [inputs]
# tau = "0.4*sin(t)"

# Names for velocities you like to think in, linear in the rates (optional).
[quasivelocities]
omega = "thetadot"
v = "xdot*cos(theta) + ydot*sin(theta)"

# Forces on a coordinate or a quasi-velocity (friction, motors); potential forces belong into the Lagrangian.
[forces]
omega = "-c*omega"

# A magnetic field along z of a unit charge at (x, y).
# [magnetic]
# "x y" = "B"

# Symmetries: one table for each generator, a vector field by its components.
[symmetry.shift_x]
x = "1"
[symmetry.shift_y]
y = "1"
[symmetry.turn]
theta = "1"
x = "-y"
y = "x"

# Every parameter and its value, in SI units. (Without values: parameters = "m J a c" above the first table.)
[parameters]
m = 1.0
J = 0.7
a = 0.4
c = 0.0

# Where the motion starts; what is missing is 0 or follows from the constraints.
[start]
theta = "pi/6"
omega = 1.3
v = 0.5
'''

SWEEP = """\
# Many motions of one system. Run it:
#   nonholo sweep NAME.toml --out NAME.zarr
# and open the result with xarray.open_zarr("NAME.zarr"). An interrupted sweep goes on where it stopped.

# A gallery name or the path of a system's .toml file.
system = "chaplygin-sleigh"

# The end of every motion, in seconds.
until = 5.0

# Numbers that all motions share; what is missing comes from the system.
[parameters]
m = 1.0

[start]
v = 0.5

# What is varied, parameters and starts alike: every combination. A list, or from, to, count (and log = true).
# Instead of a grid, or beside it: [random] or [latin] with count = 100 and {from = …, to = …} for each name.
[grid]
a = [0.2, 0.4]
omega = {from = 0.5, to = 2.0, count = 4}

# What is kept of each motion: final values, extrema, drifts, times of events, or whole trajectories.
[record]
final = ["theta", "x", "y", "omega", "v"]
drift = ["energy"]
"""
