"""Systems that several measurements and tests share."""

from __future__ import annotations

from nonholo.model.system import System

Vector = tuple[str, str, str]


def _cross(a: Vector, b: Vector) -> Vector:
    return tuple(f"(({a[i]})*({b[j]}) - ({a[j]})*({b[i]}))" for i, j in ((1, 2), (2, 0), (0, 1)))  # type: ignore[return-value]


def _add(a: Vector, b: Vector) -> Vector:
    return tuple(f"(({p}) + ({q}))" for p, q in zip(a, b))  # type: ignore[return-value]


def rattleback_texts() -> dict[str, object]:
    """An ellipsoid with twisted inertia and a centre of mass off its centre, rolling on a plane, in 5 coordinates.

    Cardan angles ``R = Rz(psi) Ry(theta) Rx(phi)``; (x, y) is the ellipsoid's centre over the plane, its height
    follows from the support function ``σ = sqrt(a²γ1² + b²γ2² + c²γ3²)``.
    """
    g1, g2, g3 = "(-sin(theta))", "(sin(phi)*cos(theta))", "(cos(phi)*cos(theta))"
    sigma = f"sqrt(a**2*{g1}**2 + b**2*{g2}**2 + c**2*{g3}**2)"
    omega: Vector = (
        "(phidot - psidot*sin(theta))",
        "(thetadot*cos(phi) + psidot*sin(phi)*cos(theta))",
        "(-thetadot*sin(phi) + psidot*cos(phi)*cos(theta))",
    )
    rows: tuple[Vector, Vector, Vector] = (
        (
            "cos(psi)*cos(theta)",
            "(cos(psi)*sin(theta)*sin(phi) - sin(psi)*cos(phi))",
            "(cos(psi)*sin(theta)*cos(phi) + sin(psi)*sin(phi))",
        ),
        (
            "sin(psi)*cos(theta)",
            "(sin(psi)*sin(theta)*sin(phi) + cos(psi)*cos(phi))",
            "(sin(psi)*sin(theta)*cos(phi) - cos(psi)*sin(phi))",
        ),
        (g1, g2, g3),
    )
    contact: Vector = (f"(-a**2*{g1}/{sigma})", f"(-b**2*{g2}/{sigma})", f"(-c**2*{g3}/{sigma})")
    # the height's rate, from its derivatives by the two angles it depends on
    by_theta = f"((-a**2*{g1}*cos(theta) - sin(theta)*cos(theta)*(b**2*sin(phi)**2 + c**2*cos(phi)**2))/{sigma})"
    by_phi = f"((b**2 - c**2)*sin(phi)*cos(phi)*cos(theta)**2/{sigma})"
    rise = f"({by_theta}*thetadot + {by_phi}*phidot)"

    def turned(vector: Vector) -> Vector:
        return tuple("(" + " + ".join(f"{r}*{v}" for r, v in zip(row, vector)) + ")" for row in rows)  # type: ignore[return-value]

    centre: Vector = ("xdot", "ydot", rise)
    mass_point = _add(centre, turned(_cross(omega, ("d1", "d2", "d3"))))
    rolling = turned(_cross(omega, contact))
    spin = f"(A*{omega[0]}**2 + B*{omega[1]}**2 + C*{omega[2]}**2 + 2*D*{omega[0]}*{omega[1]})/2"
    height = f"({sigma} + d1*{g1} + d2*{g2} + d3*{g3})"
    return {
        "name": "rattleback in angles",
        "coordinates": "phi theta psi x y",
        "parameters": "m g a b c A B C D d1 d2 d3",
        "lagrangian": f"m/2*({mass_point[0]}**2 + {mass_point[1]}**2 + {mass_point[2]}**2) + {spin} - m*g*{height}",
        "constraints": [f"xdot + {rolling[0]}", f"ydot + {rolling[1]}"],
    }


RATTLEBACK_VALUES = {
    "m": 1.0, "g": 9.81, "a": 0.2, "b": 0.03, "c": 0.02, "A": 0.0002, "B": 0.0016, "C": 0.0017, "D": -0.00002,
    "d1": 0.001, "d2": -0.0007, "d3": -0.003,
}  # fmt: skip


def rattleback_in_angles() -> System:
    """The rattleback of `rattleback_texts` as a System."""
    return System(**rattleback_texts())  # type: ignore[arg-type]
