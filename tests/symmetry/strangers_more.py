"""Systems that nobody had prepared, each in several writings, with what was known before: the rest."""

from __future__ import annotations

from tests.symmetry.exam import Exam

MORE: dict[str, Exam] = {
    "penny spring/plain": Exam(
        "Bloch 2003 with a torsion spring",
        {
            "coordinates": "x y ph th", "parameters": {"m": 1.0, "R": 0.5, "I": 0.2, "J": 0.3, "k": 0.7},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + I/2*phdot**2 + J/2*thdot**2 - k/2*th**2",
            "constraints": ["xdot - R*phdot*cos(th)", "ydot - R*phdot*sin(th)"],
        },
        ("phdot", "J*thdot**2 + k*th**2"), measure="holds",
    ),
    "MICZ/polar": Exam(
        "McIntosh and Cisneros 1970, Zwanziger 1968",
        {
            "coordinates": "r th ph", "parameters": {"g": 0.7, "k": 1.0},
            "lagrangian": "(rdot**2 + r**2*thdot**2 + r**2*sin(th)**2*phdot**2)/2 + g*cos(th)*phdot + k/r - g**2/(2*r**2)",
        },
        ("r**2*sin(th)**2*phdot + g*cos(th)",), measure="holds", start={"r": 1.2, "th": 1.1},
    ),
    "MICZ/cart": Exam(
        "McIntosh and Cisneros 1970, Zwanziger 1968",
        {
            "coordinates": "x y z", "parameters": {"g": 0.7, "k": 1.0},
            "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2 + k/sqrt(x**2 + y**2 + z**2) - g**2/(2*(x**2 + y**2 + z**2))",
            "magnetic": {
                "x y": "-g*z/(x**2 + y**2 + z**2)**(3/2)", "y z": "-g*x/(x**2 + y**2 + z**2)**(3/2)",
                "z x": "-g*y/(x**2 + y**2 + z**2)**(3/2)",
            },
        },
        ("xdot*y - x*ydot - g*z/sqrt(x**2 + y**2 + z**2)",), measure="holds", start={"x": 1.0},
    ),
    "charged heis/mag": Exam(
        "d(xdot sqrt(1 + y**2)) = B dy/sqrt(1 + y**2)",
        {
            "coordinates": "x y z", "parameters": {"B": 0.8}, "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2",
            "magnetic": {"x y": "B"}, "constraints": ["zdot - y*xdot"],
        },
        ("B*x + ydot", "xdot*sqrt(1 + y**2) - B*asinh(y)"), measure="holds",
    ),
    "charged heis/force": Exam(
        "d(xdot sqrt(1 + y**2)) = B dy/sqrt(1 + y**2)",
        {
            "coordinates": "x y z", "parameters": {"B": 0.8}, "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2",
            "forces": {"x": "B*ydot", "y": "-B*xdot"}, "constraints": ["zdot - y*xdot"],
        },
        ("B*x + ydot", "xdot*sqrt(1 + y**2) - B*asinh(y)"), measure="holds",
    ),
    "omni/plain": Exam(
        "three wheels with rollers",
        {
            "coordinates": "x y th w0 w1 w2", "parameters": {"m": 1.0, "J": 0.3, "I": 0.05, "l": 0.4, "r": 0.1},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2 + I/2*(w0dot**2 + w1dot**2 + w2dot**2)",
            "constraints": [
                "-sin(th + 0)*xdot + cos(th + 0)*ydot + l*thdot - r*w0dot",
                "-sin(th + 2*pi/3)*xdot + cos(th + 2*pi/3)*ydot + l*thdot - r*w1dot",
                "-sin(th + 4*pi/3)*xdot + cos(th + 4*pi/3)*ydot + l*thdot - r*w2dot",
            ],
        },
        ("thdot", "w0dot + w1dot + w2dot"), measure="holds",
    ),
    "diffdrive/plain": Exam(
        "Campion, Bastin and d'Andréa-Novel 1996; the wheels count the way, which makes exp(c (a + b)) a density",
        {
            "coordinates": "x y th a b", "parameters": {"m": 1.0, "J": 0.3, "I": 0.05, "l": 0.4, "r": 0.1, "d": 0.2},
            "lagrangian": "m/2*((xdot - d*sin(th)*thdot)**2 + (ydot + d*cos(th)*thdot)**2) + J/2*thdot**2"
            " + I/2*(adot**2 + bdot**2)",
            "constraints": [
                "xdot*sin(th) - ydot*cos(th)", "xdot*cos(th) + ydot*sin(th) - l*thdot - r*adot",
                "xdot*cos(th) + ydot*sin(th) + l*thdot - r*bdot",
            ],
        },
        ("r*(b - a) - 2*l*th",), measure="holds",
    ),
    "diffdrive/reordered": Exam(
        "Campion, Bastin and d'Andréa-Novel 1996; the wheels count the way, which makes exp(c (a + b)) a density",
        {
            "coordinates": "b th y a x", "parameters": {"m": 1.0, "J": 0.3, "I": 0.05, "l": 0.4, "r": 0.1, "d": 0.2},
            "lagrangian": "m/2*((xdot - d*sin(th)*thdot)**2 + (ydot + d*cos(th)*thdot)**2) + J/2*thdot**2"
            " + I/2*(adot**2 + bdot**2)",
            "constraints": [
                "xdot - cos(th)*r*(adot + bdot)/2", "ydot - sin(th)*r*(adot + bdot)/2", "2*l*thdot - r*(bdot - adot)",
            ],
        },
        ("r*(b - a) - 2*l*th",), measure="holds",
    ),
    "roller racer/std": Exam(
        "Krishnaprasad and Tsakiris 2001",
        {
            "coordinates": "x y th ph", "parameters": {"m": 1.0, "I": 0.2, "J": 0.1, "a": 0.6, "b": 0.3},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + I/2*thdot**2 + J/2*(thdot + phdot)**2",
            "constraints": [
                "xdot*sin(th) - ydot*cos(th)", "xdot*sin(th + ph) - ydot*cos(th + ph) - thdot*(b + a*cos(ph)) - b*phdot",
            ],
        },
        measure="fails",
    ),
    "roller racer/abs": Exam(
        "Krishnaprasad and Tsakiris 2001",
        {
            "coordinates": "al y th x", "parameters": {"m": 1.0, "I": 0.2, "J": 0.1, "a": 0.6, "b": 0.3},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + I/2*thdot**2 + J/2*aldot**2",
            "constraints": ["xdot*sin(th) - ydot*cos(th)", "xdot*sin(al) - ydot*cos(al) - a*thdot*cos(al - th) - b*aldot"],
        },
        measure="fails",
    ),
    "area rate/cart": Exam(
        "areas are swept evenly under a spring",
        {
            "coordinates": "x y", "parameters": {"c": 0.4, "k": 1.2},
            "lagrangian": "(xdot**2 + ydot**2)/2 - k*(x**2 + y**2)/2", "constraints": ["x*ydot - y*xdot - c"],
        },
        ("k*x**2 + xdot**2",), measure="holds", start={"x": 1.0},
    ),
    "area rate/polar": Exam(
        "areas are swept evenly under a spring",
        {
            "coordinates": "r p", "parameters": {"c": 0.4, "k": 1.2}, "lagrangian": "(rdot**2 + r**2*pdot**2)/2 - k*r**2/2",
            "constraints": ["r**2*pdot - c"],
        },
        ("rdot**2 + k*r**2 + c**2/r**2",), measure="holds", start={"r": 1.0},
    ),
    "turntable skate/lab": Exam(
        "a skate on a turntable, in the room and on the table",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "W": 0.5},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2",
            "constraints": ["(xdot + W*y)*sin(th) - (ydot - W*x)*cos(th)"],
        },
        ("thdot",), measure="holds",
    ),
    "turntable skate/turning": Exam(
        "a skate on a turntable, in the room and on the table",
        {
            "coordinates": "u v be", "parameters": {"m": 1.0, "J": 0.3, "W": 0.5},
            "lagrangian": "m/2*((udot - W*v)**2 + (vdot + W*u)**2) + J/2*(bedot + W)**2",
            "constraints": ["udot*sin(be) - vdot*cos(be)"],
        },
        ("bedot", "bedot*udot*cos(be) + bedot*vdot*sin(be) - W**2*(u*sin(be) - v*cos(be))"), measure="holds",
    ),
    "rod moving wire/gen": Exam(
        "a rod on two wires, one of which moves evenly",
        {
            "coordinates": "f", "parameters": {"m": 1.0, "l": 0.7, "g": 3.0, "c": 0.2},
            "lagrangian": "m/2*((c + 0 - l*sin(f)*fdot)**2 + (l*cos(f)*fdot)**2) + m*l**2/6*fdot**2 - m*g*l*sin(f)",
        },
        measure="holds",
    ),
    "rod moving wire/hol": Exam(
        "a rod on two wires, one of which moves evenly",
        {
            "coordinates": "x y f", "parameters": {"m": 1.0, "l": 0.7, "g": 3.0, "c": 0.2},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + m*l**2/6*fdot**2 - m*g*y",
            "holonomic": ["x - c*t - l*cos(f)", "y - l*sin(f)"],
        },
        ("fdot**2*l**2*m/6 + g*m*y + m*(xdot**2 + ydot**2)/2 - c*m*xdot",), measure="holds",
    ),
    "damped pend/cart": Exam(
        "volumes shrink as exp(-c t/m)",
        {
            "coordinates": "x y", "parameters": {"m": 1.0, "g": 2.0, "c": 0.1},
            "lagrangian": "m/2*(xdot**2 + ydot**2) - m*g*y", "holonomic": ["x**2 + y**2 - 1"],
            "forces": {"x": "-c*xdot", "y": "-c*ydot"},
        },
        measure="fails",
    ),
    "two blades oblique": Exam(
        "two skates in mixed coordinates",
        {
            "coordinates": "p q a r s b", "parameters": {"m": 1.0, "J": 0.3},
            "lagrangian": "m/2*((pdot + rdot)**2 + (qdot - sdot)**2 + (rdot - pdot)**2 + (sdot + qdot)**2)"
            " + J/2*(adot**2 + bdot**2)",
            "constraints": ["(pdot + rdot)*sin(a) - (qdot - sdot)*cos(a)", "(rdot - pdot)*sin(b) - (sdot + qdot)*cos(b)"],
        },
        ("adot", "bdot", "adot*(p + r) + sdot - qdot"), measure="holds",
    ),
    "exp skate": Exam(
        "the plane in exp(u), sinh(w)",
        {
            "coordinates": "u w th", "parameters": {"m": 1.0, "J": 0.3},
            "lagrangian": "m/2*(exp(2*u)*udot**2 + wdot**2*cosh(w)**2) + J/2*thdot**2",
            "constraints": ["exp(u)*udot*sin(th) - cosh(w)*wdot*cos(th)"],
        },
        ("thdot", "exp(u)*udot*cos(th) + cosh(w)*wdot*sin(th)", "thdot*exp(u) - cosh(w)*wdot"), measure="holds",
    ),
    "shaken skate/lab": Exam(
        "the ground shakes along x",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3, "A": 0.4},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2",
            "constraints": ["(xdot - A*cos(t))*sin(th) - ydot*cos(th)"],
        },
        ("thdot",), measure="holds",
    ),
    "shaken skate/moving": Exam(
        "the ground shakes along x",
        {
            "coordinates": "u y th", "parameters": {"m": 1.0, "J": 0.3, "A": 0.4},
            "lagrangian": "m/2*((udot + A*cos(t))**2 + ydot**2) + J/2*thdot**2",
            "constraints": ["udot*sin(th) - ydot*cos(th)"],
        },
        ("thdot",), measure="holds",
    ),
    "bead turning line/polar": Exam(
        "r = a exp(W t) + b exp(-W t)",
        {
            "coordinates": "r", "parameters": {"W": 0.7}, "lagrangian": "(rdot**2 + W**2*r**2)/2",
        },
        ("exp(-W*t)*(rdot + W*r)",), measure="holds",
    ),
    "bead turning line/cart": Exam(
        "r = a exp(W t) + b exp(-W t)",
        {
            "coordinates": "x y", "parameters": {"W": 0.7}, "lagrangian": "(xdot**2 + ydot**2)/2",
            "holonomic": ["x*sin(W*t) - y*cos(W*t)"],
        },
        ("xdot**2 + ydot**2 - 2*W**2*(x**2 + y**2)",), measure="holds", start={"x": 1.0, "y": 0.0},
    ),
    "isokinetic/heading": Exam(
        "Evans and Morriss 1990",
        {
            "coordinates": "x y", "parameters": {"g": 1.0, "c": 1.2}, "lagrangian": "(xdot**2 + ydot**2)/2 - g*y",
            "constraints": ["xdot**2 + ydot**2 - c**2"],
        },
        ("xdot*exp(-g*y/c**2)",), measure="holds", start={"xdot": 1.0, "ydot": 0.5},
    ),
    "isokinetic/root": Exam(
        "Evans and Morriss 1990",
        {
            "coordinates": "x y", "parameters": {"g": 1.0, "c": 1.2}, "lagrangian": "(xdot**2 + ydot**2)/2 - g*y",
            "constraints": ["sqrt(xdot**2 + ydot**2) - c"],
        },
        ("xdot*exp(-g*y/c**2)",), measure="holds", start={"xdot": 1.0, "ydot": 0.5},
    ),
    "contact osc/cart": Exam(
        "Arnold's contact form with a spring to the axis",
        {
            "coordinates": "x y z", "parameters": {"k": 0.8},
            "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2 - k*(x**2 + y**2)/2", "constraints": ["zdot - x*ydot + y*xdot"],
        },
        ("zdot", "k*x**2 + xdot**2"), measure="holds",
    ),
    "contact osc/cyl": Exam(
        "Arnold's contact form with a spring to the axis",
        {
            "coordinates": "r p z", "parameters": {"k": 0.8}, "lagrangian": "(rdot**2 + r**2*pdot**2 + zdot**2)/2 - k*r**2/2",
            "constraints": ["zdot - r**2*pdot"],
        },
        ("zdot",), measure="holds", start={"r": 1.0},
    ),
    "rod through ring": Exam(
        "A rod that slides through a ring at the origin",
        {
            "coordinates": "x y th", "parameters": {"m": 1.0, "J": 0.3},
            "lagrangian": "m/2*(xdot**2 + ydot**2) + J/2*thdot**2", "holonomic": ["x*sin(th) - y*cos(th)"],
        },
        ("m*(x*ydot - y*xdot) + J*thdot",), measure="holds", start={"x": 0.8, "y": 0.6, "th": 0.6435},
    ),
    "rod through ring/polar": Exam(
        "A rod that slides through a ring at the origin",
        {
            "coordinates": "r th", "parameters": {"m": 1.0, "J": 0.3},
            "lagrangian": "m/2*(rdot**2 + r**2*thdot**2) + J/2*thdot**2",
        },
        ("(m*r**2 + J)*thdot",), measure="holds", start={"r": 1.0},
    ),
    "raindrop/1": Exam(
        "Levi-Civita 1928: mass m + b t",
        {
            "coordinates": "x z", "parameters": {"m": 1.0, "g": 2.0, "b": 0.3},
            "lagrangian": "m*(1 + b*t)/2*(xdot**2 + zdot**2) - m*(1 + b*t)*g*z",
        },
        ("(1 + b*t)*xdot",), measure="holds",
    ),
}
