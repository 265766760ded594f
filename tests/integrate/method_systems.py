"""Systems nobody prepared, as text: plain coordinates, no quasi-velocities, generic numbers. Moved by every method."""

from __future__ import annotations

import nonholo as nh

TWISTCAR = """
name = "twistcar with a spring in its joint"
coordinates = "x y theta phi"
lagrangian = "m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + I/2*(thetadot + phidot)**2 - k*(phi - 0.4)**2/2 - 0.2*x**2"
constraints = [
    "-xdot*sin(theta) + ydot*cos(theta) - b*thetadot",
    "-xdot*sin(theta + phi) + ydot*cos(theta + phi) + c*thetadot*cos(phi) + d*(thetadot + phidot)",
]
parameters = {m = 1.2, J = 0.5, I = 0.3, k = 2.1, b = 0.6, c = 0.7, d = 0.35}
start = {x = 0.3, y = 0.1, theta = 0.2, phi = 0.7, xdot = 0.8, thetadot = 0.4}
"""
TRAILER = """
name = "car and trailer on a leash"
coordinates = "x y theta psi"
lagrangian = \"\"\"
m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + I/2*psidot**2
+ M/2*((xdot + d*psidot*sin(psi))**2 + (ydot - d*psidot*cos(psi))**2) - k*(x**2 + 2*y**2)/2 - c*(1 - cos(theta - psi))
\"\"\"
constraints = ["ydot*cos(theta) - xdot*sin(theta)", "ydot*cos(psi) - xdot*sin(psi) - d*psidot"]
parameters = {m = 1.1, M = 0.6, J = 0.3, I = 0.2, d = 0.9, k = 0.7, c = 0.8}
start = {x = 0.5, y = 0.2, theta = 0.4, psi = 0.1, xdot = 0.7, thetadot = 0.9}
"""
WAVES = """
name = "skate on waves"
coordinates = "x y theta"
lagrangian = \"\"\"
m/2*(xdot**2 + ydot**2 + (a*cos(x)*cos(y)*xdot - a*sin(x)*sin(y)*ydot)**2) + J/2*thetadot**2 - m*9.81*a*sin(x)*cos(y)
\"\"\"
constraints = ["ydot*cos(theta) - xdot*sin(theta)"]
parameters = {m = 0.8, J = 0.25, a = 0.15}
start = {x = 0.3, y = 0.4, theta = 0.5, xdot = 1.1, thetadot = 1.7}
"""
TURNTABLE = """
name = "sleigh on a turntable"
coordinates = "x y theta"
lagrangian = "m/2*((xdot - b*thetadot*sin(theta))**2 + (ydot + b*thetadot*cos(theta))**2) + J/2*thetadot**2 - k*(x**2 + y**2)/2"
constraints = ["(ydot - W*x)*cos(theta) - (xdot + W*y)*sin(theta)"]
parameters = {m = 1.3, J = 0.4, b = 0.3, k = 0.9, W = 0.8}
start = {x = 0.4, y = -0.2, theta = 0.3, thetadot = 0.6, xdot = 0.5}
"""
WHEEL = """
name = "unbalanced wheel on a slope"
coordinates = "x y spin heading"
lagrangian = \"\"\"
m/2*(xdot**2 + ydot**2) + (J + m*e**2)/2*spindot**2 - m*e*r*cos(spin)*spindot**2 + I/2*headingdot**2
- m*9.81*e*cos(spin) + m*9.81*0.2*x
\"\"\"
constraints = ["xdot - r*spindot*cos(heading)", "ydot - r*spindot*sin(heading)"]
parameters = {m = 0.9, J = 0.3, I = 0.2, e = 0.1, r = 0.4}
start = {spin = 0.2, heading = 0.3, spindot = 1.5, headingdot = 0.8}
"""
ROD = """
name = "two masses on a rod with a blade"
coordinates = "x1 y1 x2 y2"
lagrangian = "m1/2*(x1dot**2 + y1dot**2) + m2/2*(x2dot**2 + y2dot**2) - k*(x1**2 + y2**2)/2"
holonomic = ["(x1 - x2)**2 + (y1 - y2)**2 - l**2"]
constraints = ["(x1dot + x2dot)*(y1 - y2) - (y1dot + y2dot)*(x1 - x2)"]
parameters = {m1 = 1.0, m2 = 1.6, k = 0.7, l = 0.5}
start = {x1 = 0.4, y1 = 0.3, x2 = 0.1, y2 = -0.1, x1dot = 0.3, y1dot = 0.9}
"""
TEXTS = {"twistcar": TWISTCAR, "trailer": TRAILER, "waves": WAVES, "turntable": TURNTABLE, "wheel": WHEEL, "rod": ROD}


def system(name: str, folder: object) -> nh.System:
    """The system of a name, by way of a file."""
    path = f"{folder}/{name}.toml"
    with open(path, "w") as file:
        file.write(TEXTS[name])
    return nh.load(path)
