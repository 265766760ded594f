// What a new text begins with.
export const TEMPLATE = `name = "new system"

# Coordinates; the rate of x is called xdot.
coordinates = "theta x y"

# Kinetic minus potential energy. Never put the constraints into it.
lagrangian = """
m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2)
+ J/2*thetadot**2"""

# Expressions that vanish: here a blade does not slip sideways.
constraints = ["ydot*cos(theta) - xdot*sin(theta)"]

# Names for velocities, linear in the rates (optional).
[quasivelocities]
omega = "thetadot"
v = "xdot*cos(theta) + ydot*sin(theta)"

[parameters]
m = 1.0
J = 0.7
a = 0.4

# Where the motion starts; what is missing is 0 or follows from the constraints.
[start]
omega = 1.3
v = 0.5
`;
