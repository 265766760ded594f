"""The robots of the gallery written by hand, as a roboticist would: positions, rotations, rolling conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import symengine as se

import nonholo as nh
from tests.machines.lagrangian_by_hand import ByHand, dot, turn, vec

S = se.sympify
BY_HAND: dict[str, Callable[[dict[str, float]], nh.System]] = {}


def by_hand(name: str) -> Callable[[Callable[[dict[str, float]], nh.System]], Callable[[dict[str, float]], nh.System]]:
    """Register a hand-written system under the name of its gallery machine."""

    def register(make: Callable[[dict[str, float]], nh.System]) -> Callable[[dict[str, float]], nh.System]:
        BY_HAND[name] = make
        return make

    return register


def flat(x: str, y: str, angle: str, ahead: str, aside: str = "0") -> tuple[se.Expr, se.Expr]:
    """The point ``(ahead, aside)`` in the axes of a body at (x, y) with this heading."""
    c, s = se.cos(S(angle)), se.sin(S(angle))
    return S(x) + S(ahead) * c - S(aside) * s, S(y) + S(ahead) * s + S(aside) * c


@by_hand("differential-drive")
def differential_drive(values: dict[str, float]) -> nh.System:
    h = ByHand(
        "drive",
        "x y theta left right c1 c1_spin c2 c2_spin",
        values,
        inputs="tl tr",
        forces={"left": "tl", "right": "tr"},
    )
    h.flat_body("m", "J", flat("x", "y", "theta", "a"), S("theta"))
    for spin, side in (("left", "b"), ("right", "-b")):
        h.lagrangian += S(f"Jw/2*{spin}dot**2")
        h.rolls_along(flat("x", "y", "theta", "0", side), S("theta"), S("R"), spin)
    h.no_side_slip((S("x"), S("y")), S("theta"))
    for name, side in (("c1", "d"), ("c2", "-d")):
        pivot = flat("x", "y", "theta", "l", side)
        heading = f"theta + {name}"
        contact = flat(str(pivot[0]), str(pivot[1]), heading, "-s")
        h.lagrangian += S(f"Jf/2*(thetadot + {name}dot)**2 + Iw/2*{name}_spindot**2")
        h.rolls(contact, S(heading), S("rc"), f"{name}_spin")
    return h.system()


@by_hand("mecanum")
def mecanum(values: dict[str, float]) -> nh.System:
    h = ByHand(
        "mecanum",
        "x y theta p1 p2 p3 p4",
        values,
        inputs="t1 t2 t3 t4",
        forces={f"p{k}": f"t{k}" for k in (1, 2, 3, 4)},
    )
    h.flat_body("m", "J", flat("x", "y", "theta", "c"), S("theta"))
    for k, (ahead, side, roller) in enumerate((("a", "b", -1), ("a", "-b", 1), ("-a", "b", 1), ("-a", "-b", -1))):
        h.lagrangian += S(f"Jw/2*p{k + 1}dot**2")
        h.rolls_along(flat("x", "y", "theta", ahead, side), S("theta"), S("r"), f"p{k + 1}", roller * se.pi / 4)
    return h.system()


@by_hand("omni-platform")
def omni_platform(values: dict[str, float]) -> nh.System:
    """The touching point of wheel k has the speed of its rim along the tangent at angle 2πk/3."""
    h = ByHand("omni", "x y theta p1 p2 p3", values, inputs="t1 t2 t3", forces={f"p{k}": f"t{k}" for k in (1, 2, 3)})
    h.flat_body("m", "J", flat("x", "y", "theta", "c"), S("theta"))
    for k in range(3):
        angle = S("theta") + 2 * se.pi * k / 3
        h.lagrangian += S(f"Jw/2*p{k + 1}dot**2")
        h.constraints.append(
            -S("xdot") * se.sin(angle) + S("ydot") * se.cos(angle) + S("L*thetadot") - S(f"r*p{k + 1}dot")
        )
    return h.system()


@by_hand("snake")
def snake(values: dict[str, float]) -> nh.System:
    """Absolute headings; each link's middle from its neighbour's by two half links."""
    names = [f"phi{i}" for i in range(1, 8)]
    h = ByHand("snake", "x y theta " + " ".join(names), values)
    place, heading = (S("x"), S("y")), S("theta")
    for i in range(8):
        if i:
            before, heading = heading, heading + S(names[i - 1])
            place = (
                place[0] - S("l") * (se.cos(before) + se.cos(heading)), place[1] - S("l") * (se.sin(before) + se.sin(heading)),
            )  # fmt: skip
        h.flat_body("m", "J", place, heading)
        h.no_side_slip(place, heading)
    h.lagrangian -= S("k/2*phi1**2")
    return h.system()


@by_hand("car-with-trailers")
def car_with_trailers(values: dict[str, float]) -> nh.System:
    h = ByHand("car", "x y theta b1 b2 b3 delta", values, inputs="tau", forces={"delta": "tau"})
    h.flat_body("m", "J", flat("x", "y", "theta", "a"), S("theta"))
    h.no_side_slip((S("x"), S("y")), S("theta"))
    h.no_side_slip(flat("x", "y", "theta", "w"), S("theta + delta"))
    h.lagrangian += S("Js/2*(thetadot + deltadot)**2")
    place, heading = ("x", "y"), "theta"
    for k in (1, 2, 3):
        hitch = flat(*place, heading, "-h")
        heading = f"{heading} + b{k}"
        axle = flat(str(hitch[0]), str(hitch[1]), heading, "-L")
        h.flat_body("m1", "J1", axle, S(heading))
        h.no_side_slip(axle, S(heading))
        place = (str(axle[0]), str(axle[1]))
    return h.system()


@by_hand("two-axle-tractor")
def two_axle_tractor(values: dict[str, float]) -> nh.System:
    h = ByHand("tractor", "x y theta df dr", values, inputs="tf tr", forces={"df": "tf", "dr": "tr"})
    h.flat_body("m", "J", (S("x"), S("y")), S("theta"))
    h.no_side_slip(flat("x", "y", "theta", "a"), S("theta + df"))
    h.no_side_slip(flat("x", "y", "theta", "-b"), S("theta + dr"))
    h.lagrangian += S("Jf/2*(thetadot + dfdot)**2 + Jr/2*(thetadot + drdot)**2")
    return h.system()


@by_hand("trikke")
def trikke(values: dict[str, float]) -> nh.System:
    h = ByHand(
        "trikke", "x y theta delta gamma", values, inputs="td tg",
        forces={"delta": "td - kd*delta", "gamma": "tg - kg*gamma - cg*gammadot"},
    )  # fmt: skip
    h.flat_body("m", "J", flat("x", "y", "theta", "c"), S("theta"))
    column, seat = flat("x", "y", "theta", "w"), flat("x", "y", "theta", "q")
    h.flat_body("mf", "Jf", flat(str(column[0]), str(column[1]), "theta + delta", "-u"), S("theta + delta"))
    h.flat_body("mr", "Jr", flat(str(seat[0]), str(seat[1]), "theta + gamma", "p"), S("theta + gamma"))
    h.no_side_slip((S("x"), S("y")), S("theta"))
    h.no_side_slip(flat(str(column[0]), str(column[1]), "theta + delta", "-s"), S("theta + delta"))
    return h.system()


@by_hand("landfish")
def landfish(values: dict[str, float]) -> nh.System:
    h = ByHand("landfish", "x y theta psi phi", values, inputs="tau", forces={"psi": "tau", "phi": "-k*phi - c*phidot"})
    h.flat_body("m", "J", (S("x"), S("y")), S("theta"))
    h.flat_body("mr", "Jr", (S("x"), S("y")), S("theta + psi"))
    neck = flat("x", "y", "theta", "-a")
    h.flat_body("mt", "Jt", flat(str(neck[0]), str(neck[1]), "theta + phi", "-u"), S("theta + phi"))
    h.no_side_slip(flat("x", "y", "theta", "-f"), S("theta"))
    h.no_side_slip(flat(str(neck[0]), str(neck[1]), "theta + phi", "-L"), S("theta + phi"))
    return h.system()


def base_axes() -> Any:
    """The axes of a body with yaw, roll and pitch."""
    return turn("z", S("yaw")) * turn("x", S("roll")) * turn("y", S("pitch"))


PLACE = vec("x", "y", "z")
FREE = "x y z yaw roll pitch"


def thin_disk(m: str, r: str) -> tuple[Any, Any, Any]:
    """Moments of a homogeneous thin disk with its axle along y."""
    return S(f"{m}*{r}**2/4"), S(f"{m}*{r}**2/2"), S(f"{m}*{r}**2/4")


@by_hand("unicycle-with-rider")
def unicycle_with_rider(values: dict[str, float]) -> nh.System:
    h = ByHand("unicycle", f"{FREE} spin twist", values, inputs="pedal hip", forces={"spin": "pedal", "twist": "hip"})
    frame = base_axes()
    wheel, rider = frame * turn("y", S("spin")), frame * turn("z", S("twist"))
    h.body("mf", ("Af", "Bf", "Cf"), PLACE + frame * vec(0, 0, "lf"), frame)
    h.body("mw", thin_disk("mw", "r"), PLACE, wheel)
    h.body("mr", ("Ar", "Br", "Cr"), PLACE + frame * vec(0, 0, "h") + rider * vec("u", 0, "lr"), rider)
    h.disk_rolls(PLACE, wheel, "r")
    return h.system()


@by_hand("spherical-robot")
def spherical_robot(values: dict[str, float]) -> nh.System:
    h = ByHand("sphere", f"{FREE} drive tilt", values, inputs="td tt", forces={"drive": "td", "tilt": "tt"})
    shell = base_axes()
    yoke = shell * turn("y", S("drive"))
    bob = yoke * turn("x", S("tilt"))
    h.body("ms", ("Js", "Js", "Js"), PLACE, shell)
    h.body("my", ("Ay", "By", "Cy"), PLACE, yoke)
    h.body("mb", ("Ab", "Bb", "Cb"), PLACE + bob * vec(0, 0, "-l"), bob)
    h.ball_rolls(PLACE, shell, "r")
    return h.system()


@by_hand("segway")
def segway(values: dict[str, float]) -> nh.System:
    """The street falls along +x: its normal is (sin α, 0, cos α)."""
    h = ByHand(
        "segway", f"{FREE} left right", values, inputs="tl tr", forces={"left": "tl", "right": "tr"},
    )  # fmt: skip
    body, normal = base_axes(), vec("sin(alpha)", 0, "cos(alpha)")
    h.body("m", ("A", "B", "C"), PLACE + body * vec(0, 0, "l"), body)
    for angle, side in (("left", "d"), ("right", "-d")):
        hub, wheel = PLACE + body * vec(0, side, 0), body * turn("y", S(angle))
        h.body("mw", thin_disk("mw", "r"), hub, wheel)
        h.disk_rolls(hub, wheel, "r", normal=normal)
    del h.constraints[-1]  # across the axle both wheels say the same
    return h.system()


@by_hand("pan-grinder")
def pan_grinder(values: dict[str, float]) -> nh.System:
    h = ByHand("pan grinder", "phi lift roll", values, inputs="drive", forces={"phi": "drive"})
    shaft = turn("z", S("phi"))
    arm = shaft * turn("y", S("lift"))
    stone, top = arm * turn("x", S("roll")), vec(0, 0, "h")
    h.lagrangian += S("Js/2*phidot**2")
    h.body("ma", (0, "Ja", "Ja"), top + arm * vec("L/2", 0, 0), arm)
    h.body("m", (S("m*r**2/2"), S("m*r**2/4"), S("m*r**2/4")), top + arm * vec("L", 0, 0), stone)
    h.disk_rolls(top + arm * vec("L", 0, 0), stone, "r", axle=vec(1, 0, 0))
    east, north = h.constraints
    h.constraints = [S("cos(phi)") * north - S("sin(phi)") * east]  # along the arm the stone cannot move anyway
    return h.system()


@by_hand("balancing-ballbot")
def balancing_ballbot(values: dict[str, float]) -> nh.System:
    """The ball's orientation against the body is a rotation matrix; its angular velocity in its own axes is w + Rᵀ ω."""
    h = ByHand("ballbot", FREE, values, inputs="ex ny")
    body = base_axes()
    inner = se.Matrix(3, 3, [se.Symbol(f"R{i}{j}") for i in (1, 2, 3) for j in (1, 2, 3)])
    own = vec("w1", "w2", "w3")
    ball = own + inner.T * (body.T * h.angular_velocity(body))
    h.body("m", ("A", "A", "C"), PLACE + body * vec(0, 0, "l"), body)
    speed = h.rates(PLACE)
    h.lagrangian += S("mb") / 2 * dot(speed, speed) + S("Jb") / 2 * dot(ball, ball) - S("mb*g*z")
    turning = body * inner * ball
    h.holonomic.append(S("z - r"))
    h.constraints += [speed[0] - S("r") * turning[1], speed[1] + S("r") * turning[0], turning[2]]
    push = (body * inner).T * vec("ex", "ny", 0)
    return nh.System(
        name=h.name, frame=nh.Euclidean(FREE) * nh.SO3("R", rates="w1 w2 w3"), parameters=values, lagrangian=h.lagrangian,
        constraints=h.constraints, holonomic=h.holonomic, inputs="ex ny", forces={f"w{k + 1}": push[k] for k in range(3)},
    )  # fmt: skip


@by_hand("bicycle")
def bicycle(values: dict[str, float]) -> nh.System:
    """The numbers of the benchmark [Meijaard et al. 2007, table 1], with z up and y to the left."""
    h = ByHand("bicycle", f"{FREE} rear steer front", values)
    frame = base_axes()
    tilt = turn("y", -S("lam"))
    fork = frame * tilt * turn("z", S("steer")) * tilt.T
    foot = PLACE + frame * vec("w + c", 0, "-3/10")
    hub = foot + fork * vec("-c", 0, "7/20")
    h.body(85, se.Matrix([[9.2, 0, -2.4], [0, 11, 0], [-2.4, 0, 2.8]]), PLACE + frame * vec("3/10", 0, "3/5"), frame)
    h.body(
        4,
        se.Matrix([[0.05892, 0, 0.00756], [0, 0.06, 0], [0.00756, 0, 0.00708]]),
        foot + fork * vec("-1/5", 0, "7/10"),
        fork,
    )
    for m, moments, angle, center, axes, radius in (
        (2, (0.0603, 0.12, 0.0603), "rear", PLACE, frame, "3/10"),
        (3, (0.1405, 0.28, 0.1405), "front", hub, fork, "7/20"),
    ):
        wheel = axes * turn("y", S(angle))
        h.body(m, moments, center, wheel)
        h.disk_rolls(center, wheel, S(radius))
    return h.system()


@by_hand("skateboard")
def skateboard(values: dict[str, float]) -> nh.System:
    """Each truck turns about an inclined axis; both wheels of a truck say the same across its axle."""
    h = ByHand(
        "skateboard", f"{FREE} sf sr p1 p2 p3 p4", values, forces={n: f"-k*{n} - d*{n}dot" for n in ("sf", "sr")},
    )  # fmt: skip
    board = base_axes()
    h.body("m", ("A", "B", "C"), PLACE + board * vec(0, 0, "h"), board)
    spins = iter(("p1", "p2", "p3", "p4"))
    for angle, ahead, lean in (("sf", "a", S("-lam")), ("sr", "-a", S("lam"))):
        inclined = turn("y", lean)
        truck, pivot = board * inclined * turn("x", S(angle)) * inclined.T, PLACE + board * vec(ahead, 0, 0)
        h.body("mt", ("Jt", "Jt", "Jt"), pivot, truck)
        for side in ("b", "-b"):
            hub, wheel = pivot + truck * vec(0, side, 0), truck * turn("y", S(next(spins)))
            h.body("mw", thin_disk("mw", "r"), hub, wheel)
            h.disk_rolls(hub, wheel, "r")
        del h.constraints[-1]  # across the axle both wheels say the same
    return h.system()
