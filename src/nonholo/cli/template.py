"""The files that ``nonholo new`` writes."""

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
