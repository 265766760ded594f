"""The theorems of the paper by the public functions, on systems and fields that nobody prepared (`nonholo_papers.drawn`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers import drawn
from nonholo_papers.bmz import s7_public_functions as by_functions
from nonholo_papers.bmz._algebras import SL2, SO3, book, inertia, star
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import analytic, identity, slope
from nonholo_papers.section import Section

Array = Any
section = Section("zenkov", "The theorems by the public functions")
section.confirmed(
    "Theorem 2.1 by `nh.forms.action_variation`",
    by_functions=("Theorem 2.1",),
    printed=r"\delta\int L\,dt = 0 \text{ just for the solutions of Lagrange's equations}",
    slow=True,  # the quick tests run it for BMZ
)(by_functions.critical_action)


@section.confirmed(
    "Theorem 2.2 by `nh.hamel`",
    by_functions=("Theorem 2.2",),
    printed=r"\frac{d}{dt}\frac{\delta l}{\delta\xi} = \mathrm{ad}^*_\xi\frac{\delta l}{\delta\xi}",
)
def euler_poincare() -> Evidence:
    """Hamel's equations on so(3), sl(2) and a drawn algebra that is not unimodular are ad* of the momentum."""
    import nonholo as nh

    names = ("e1", "e2", "e3")
    cases = []
    for seed, algebra in enumerate((SO3, SL2, book(0.7))):
        table = inertia(3, seed + 3).round(3)
        text = " + ".join(f"({table[i, j]})*{names[i]}*{names[j]}/2" for i in range(3) for j in range(3))
        frame = nh.LieAlgebra(algebra.tolist(), rates="e1 e2 e3")
        cases.append((algebra, table, nh.hamel(nh.System(name="drawn", frame=frame, lagrangian=text))))

    def terms(case: Any) -> list[Array]:
        algebra, table, equations = case
        xi = np.array([0.7, -0.4, 1.1])
        rates = equations.rates(dict(zip(names, xi)), {})
        return [table @ np.array([rates[n] for n in names]), -star(algebra, xi, table @ xi)]

    return identity(cases, terms, words="three algebras, drawn inertias")


DENSITY = (
    "(1 + 0.3*x**2)*(x_s**2 + y_s**2)*(u**2 + 0.8*w**2)/2 + 0.2*x*y_s*u*w - 0.4*(x_s*y_ss - y_s*x_ss)**2/2 - 0.3*x*y"
)
VELOCITY = {"xdot": "x_s*u - (1 + y**2)*w", "ydot": "y_s*u + 0.5*x*w"}


def _curve() -> dict[str, str]:
    """A moving curve of the plane, generic in s and t."""
    return {"x": "s + 0.3*sin(2*s + t) + 0.2*t*s**2", "y": "0.4*cos(s - 2*t) + 0.3*s*t + 0.5"}


def _jets(names: Any) -> dict[str, Any]:
    """The curve, its rates and derivatives by s, and the components (u, w) with their derivatives, as expressions in (s, t)."""
    import symengine as se

    from nonholo.notation.read import expression

    s, t = se.Symbol("s"), se.Symbol("t")
    found = {n: expression(text, ["s", "t"], "curve") for n, text in _curve().items()}
    found |= {f"{n}dot": e.diff(t) for n, e in found.items()}
    turn = [
        [expression(VELOCITY[f"{n}dot"], names, "velocity").diff(se.Symbol(c)) for c in ("u", "w")] for n in ("x", "y")
    ]
    place = {se.Symbol(n): e for n, e in found.items()} | {se.Symbol(f"{n}_s"): found[n].diff(s) for n in ("x", "y")}
    (a, b), (c, d) = ([e.subs(place) for e in row] for row in turn)
    below = a * d - b * c
    found["u"] = (d * found["xdot"] - b * found["ydot"]) / below
    found["w"] = (a * found["ydot"] - c * found["xdot"]) / below
    for n in ("x", "y", "u", "w"):
        for k in range(1, 5):
            found[f"{n}{'_' + 's' * k}"] = found[f"{n}{'_' + 's' * (k - 1)}" if k > 1 else n].diff(s)
    return found


@section.confirmed(
    "Theorem 3.1 by `nh.fields.Field`",
    by_functions=("Theorem 3.1",),
    printed=r"\text{(3.11) is equivalent to the principle of critical action, for any } \Psi",
)
def field_equations() -> Evidence:
    """Along any moving curve the defect of (3.11) is Ψ* of that of Lagrange's equations of the density, as partial
    derivatives.
    """
    import symengine as se

    import nonholo as nh

    field = nh.fields.Field("x y", DENSITY, velocity=("u w", VELOCITY), nodes=8)
    equations = field.equations
    names = [*(f"{n}{e}" for n in ("x", "y", "u", "w") for e in ("", "_s", "_ss")), "xdot", "ydot"]
    jets = {se.Symbol(n): e for n, e in _jets(names).items()}
    s, t = se.Symbol("s"), se.Symbol("t")

    from nonholo.notation.read import expression

    xs, ys, x, y, p, q = (se.Symbol(n) for n in ("x_s", "y_s", "x", "y", "xdot", "ydot"))
    below = xs * (x / 2) + (1 + y**2) * ys
    inverse = {se.Symbol("u"): (x / 2 * p + (1 + y**2) * q) / below, se.Symbol("w"): (xs * q - ys * p) / below}
    plain = expression(DENSITY, names, "density").subs(inverse)

    def lagrange(n: str) -> Any:
        """d/dt ∂L/∂q̇ − ∂L/∂q + d/ds ∂L/∂q_s − d²/ds² ∂L/∂q_ss along the curve."""
        one, two, three, four = (plain.diff(se.Symbol(f"{n}{e}")).subs(jets) for e in ("dot", "", "_s", "_ss"))
        return one.diff(t) - two + three.diff(s) - four.diff(s).diff(s)

    def terms(place: Any) -> list[Array]:
        at = {s: place[0], t: place[1]}

        def number(e: Any) -> float:
            return float(e.subs(jets).subs(at).n())

        rise = [float(m.subs(jets).diff(t).subs(at).n()) for m in equations.momentum]
        defects = [float(lagrange(n).subs(at).n()) for n in ("x", "y")]
        columns = [[number(equations.velocity[n].diff(se.Symbol(c))) for n in ("x", "y")] for c in ("u", "w")]
        return [np.array(rise), -np.array([number(e) for e in equations.force]), -np.array(columns) @ np.array(defects)]

    return identity([(0.3, 0.4), (0.8, -0.2)], terms, words="a drawn density and Ψ, a curve that is no motion")


@section.confirmed(
    "Theorem 4.1 by `nh.fields.Field`",
    by_functions=("Theorem 4.1",),
    printed=r"\text{(4.4) with } \eta^{\mathcal{U}} = 0",
)
def constrained_field() -> Evidence:
    """A field with ż = xẏ, that is, c = 0: along curves that obey it the defects of (4.4) are E_x and E_y + xE_z, E Lagrange's
    expressions of the density; with c = 0 put into the density first a term is lost.
    """
    import symengine as se

    import nonholo as nh
    from nonholo.notation.read import expression

    s, t, c = (se.Symbol(n) for n in ("s", "t", "c"))
    density = "(1.2 + x**2)*a**2/2 + 0.9*b**2/2 + (1 + 0.3*y)*c**2/2 + 0.5*x_s*a*c + 0.4*b*c - 0.3*(z_s*y_s + x_s**2) - 0.2*x*z"
    velocity = ("a b c", {"xdot": "a", "ydot": "b", "zdot": "c + x*b"})
    curve = {"x": "s**2 + (1 + s)*t", "y": "0.4*s - 0.7*s**3*t", "z": "0.3*s - 0.7*s**3*(s**2*t + (1 + s)*t**2/2)"}
    jets = {se.Symbol(n): expression(text, ["s", "t"], "curve") for n, text in curve.items()}
    for n in ("x", "y", "z"):
        jets[se.Symbol(f"{n}_s")] = jets[se.Symbol(n)].diff(s)
        jets[se.Symbol(f"{n}_ss")] = jets[se.Symbol(f"{n}_s")].diff(s)
    speeds = {"a": jets[se.Symbol("x")].diff(t), "b": jets[se.Symbol("y")].diff(t), "c": se.Integer(0)}
    for n, e in speeds.items():
        jets |= {se.Symbol(n): e, se.Symbol(f"{n}_s"): e.diff(s), se.Symbol(f"{n}_ss"): e.diff(s).diff(s)}
    rates = [se.Symbol(f"{n}dot") for n in ("x", "y", "z")]
    names = [str(e) for e in jets]
    frame = dict(zip((se.Symbol(n) for n in "abc"), (rates[0], rates[1], rates[2] - se.Symbol("x") * rates[1])))
    plain = expression(density, names, "density").subs(frame)
    along = {**dict(zip(rates, (jets[se.Symbol(n)].diff(t) for n in ("x", "y", "z")))), **jets}

    def lagrange(k: int) -> Any:
        n = "xyz"[k]
        one, two, three = (plain.diff(e).subs(along) for e in (rates[k], se.Symbol(n), se.Symbol(f"{n}_s")))
        return one.diff(t) - two + three.diff(s)

    wanted = [lagrange(0), lagrange(1) + jets[se.Symbol("x")] * lagrange(2)]

    def defects(text: str) -> Any:
        found = nh.fields.Field("x y z", text, velocity=velocity, constraint="c", nodes=8).equations

        def terms(place: Any) -> list[Array]:
            at = {s: place[0], t: place[1]}
            rise = [float(found.momentum[k].subs(jets).diff(t).subs(at).n()) for k in range(2)]
            push = [float(found.force[k].subs(jets).subs(at).n()) for k in range(2)]
            return [np.array(rise), -np.array(push), -np.array([float(e.subs(at).n()) for e in wanted])]

        return terms

    early = defects(str(expression(density, names, "density").subs({c: 0})) + " + c**2/2")
    return identity([(0.3, 0.4), (0.8, -0.2)], defects(density), mutants=[early], words="a curve that is no motion")


RATES = {"a": "xdot + 0.3*y*zdot", "b": "(2 + sin(x))*ydot", "c": "zdot - 0.4*x*xdot"}
FORMS = (("1", "0", "0.3*y"), ("0", "2 + sin(x)", "0"), ("-0.4*x", "0", "1"))


def _defect(run: Any, given: drawn.Drawn, wide: int, seed: int = 3) -> tuple[float, float]:
    """δs^d of a run along (5.7), (5.8) with random η of W^D (η_0 = η_N = 0), and the size of its terms."""
    forms = analytic(FORMS, given.coordinates)

    def fields(q: Array) -> Array:
        return np.linalg.inv(forms(q))

    q, h = np.stack([run[n] for n in given.coordinates], 1), float(run.times[1] - run.times[0])
    eta = np.random.default_rng(seed).uniform(-1, 1, (len(q), 3)) * (np.arange(3) < wide)
    eta[0] = eta[-1] = 0
    total, size = 0.0, 0.0
    for k in range(len(q) - 1):
        middle, mixed = (q[k] + q[k + 1]) / 2, (eta[k] + eta[k + 1]) / 2
        psi, xi = fields(middle), forms(middle) @ (q[k + 1] - q[k]) / h
        turn = np.einsum("imk,kj->ijm", slope(fields, middle), psi)  # ∂_j Ψ_m along u_j
        bracket = np.linalg.solve(
            psi, np.einsum("ijm,j,m->i", turn, xi, mixed) - np.einsum("ijm,j,m->i", turn, mixed, xi)
        )
        change = (eta[k + 1] - eta[k]) / h + bracket

        def density(e: float, middle: Array = middle, psi: Array = psi, xi: Array = xi, mixed: Array = mixed,
                    change: Array = change) -> float:  # fmt: skip
            place = middle + e * psi @ mixed
            return given.action_density(place, fields(place) @ (xi + e * change))

        slopes = [(density(e) - density(-e)) / (2 * e) for e in (2e-3, 1e-3)]
        total += h * (4 * slopes[1] - slopes[0]) / 3
        size += h * abs(slopes[1])
    return total, size


@section.confirmed(
    "Theorems 5.1 and 5.2 by `nh.simulate`",
    by_functions=("Theorem 5.1", "Theorem 5.2"),
    printed=r"\text{(5.6), (5.11): } \delta s^d = 0 \text{ along (5.7), (5.8), with } \eta_k \text{ in } W^{\mathcal{D}}",
)
def discrete_principle() -> Evidence:
    """The steps of Hamel's integrator on a drawn system in a frame that varies, without and with a constraint, make the
    action sum critical; those of Störmer and Verlet do not.
    """
    import nonholo as nh

    def left(constraints: tuple[str, ...], method: str) -> float:
        given = drawn.Drawn(("x", "y", "z"), drawn.free(9).lagrangian, constraints)
        speeds = {n: e for n, e in RATES.items() if e not in constraints}
        start = {"x": 0.3, "y": -0.2, "z": 0.1, "xdot": 0.5, "ydot": 0.4, "zdot": 0.06}
        system = given.system(quasivelocities=speeds) if method == "hamel" else given.system()
        run = nh.simulate(system, start, 0.8, method=method, step=0.1, t_eval="steps", progress=False)
        defect, size = _defect(run, given, len(speeds))
        return abs(defect) / size

    kept = [left(rows, "hamel") for rows in ((), (RATES["c"],))]
    return Evidence(
        max(kept), mutant=left((), "verlet"), words="eight steps of 0.1, τ = 1/2; the mutant is Störmer and Verlet's"
    )


@section.confirmed(
    "Theorem 6.1 by `nh.simulate`",
    by_functions=("Theorem 6.1",),
    printed=r"\text{(6.6), with the factor } \tfrac12, \text{ and (6.7) keep the energy and the length of } \gamma",
    exhibits=("spherical-pendulum",),
)
def kept_energy() -> Evidence:
    """A pendulum with other numbers, 100 steps of 0.2 with averaged kinematics: energy and |γ| are kept to rounding; by the
    method of Runge and Kutta they are not.
    """
    import nonholo as nh

    system = nh.gallery.get("spherical-pendulum").system
    numbers = {"m": 1.3, "r": 0.7, "g": 2.1}
    start = {"gamma1": 0.48, "gamma2": 0.6, "gamma3": -0.64, "xi1": 0.9, "xi2": -0.5}

    def drift(method: str, **more: Any) -> float:
        run = nh.simulate(system, start, 20.0, numbers, method=method, step=0.2, t_eval="steps", progress=False, **more)
        length = np.sqrt(sum(run[f"gamma{i}"] ** 2 for i in (1, 2, 3)))
        return max(float(np.ptp(length)), float(run.drift("energy")))

    return Evidence(
        drift("hamel", kinematics="averaged"), mutant=drift("rk4"), words="energy and length over 100 steps"
    )
