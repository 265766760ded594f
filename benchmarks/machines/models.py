"""Four machines in MJCF, which MuJoCo, Pinocchio and nonholo all read, with their starts."""

from __future__ import annotations

from dataclasses import dataclass, field

HEAD = '<compiler angle="radian"/><option timestep="{step}" integrator="{method}"><flag energy="enable"/></option>'
FLOOR = '<geom name="floor" type="plane" size="50 50 1" friction="1 0 0" condim="3"/>'
TOUCH = 'friction="1 0 0" condim="3"'


@dataclass(frozen=True)
class Case:
    """A machine: its file, its wheels, and its start as velocities of hinges or of the root."""

    name: str
    text: str
    wheels: tuple[str, ...]
    root: str
    """The free body."""
    place: tuple[float, float, float]
    tilt: tuple[float, float, float]
    """Yaw, roll, pitch of the root."""
    speeds: dict[str, float]
    """Rates by name, in nonholo's names; the others follow from rolling."""
    angles: dict[str, float] = field(default_factory=dict)
    """Angles of joints at the start."""
    until: float = 2.0


def _model(body: str) -> str:
    return f'<mujoco model="bench">{HEAD}<worldbody>{FLOOR}{body}</worldbody></mujoco>'


COIN = _model(
    '<body name="coin" pos="0 0 0.1"><freejoint/>'
    f'<geom type="cylinder" size="0.1 0.0005" euler="-1.5707963267948966 0 0" mass="0.3" {TOUCH}/></body>'
)
BICYCLE = _model(
    '<body name="frame" pos="0 0 0.3"><freejoint/>'
    '<inertial pos="0.3 0 0.6" mass="85" fullinertia="9.2 11 2.8 0 -2.4 0"/>'
    '<body name="rear"><joint name="rear" axis="0 1 0"/><inertial pos="0 0 0" mass="2" diaginertia="0.0603 0.12 0.0603"/>'
    f'<geom type="cylinder" size="0.3 0.001" euler="-1.5707963267948966 0 0" {TOUCH}/></body>'
    '<body name="fork" pos="1.1 0 -0.3"><joint name="steer" axis="-0.30901699437494745 0 0.9510565162951535"/>'
    '<inertial pos="-0.2 0 0.7" mass="4" fullinertia="0.05892 0.06 0.00708 0 0.00756 0"/>'
    '<body name="front" pos="-0.08 0 0.35"><joint name="front" axis="0 1 0"/>'
    '<inertial pos="0 0 0" mass="3" diaginertia="0.1405 0.28 0.1405"/>'
    f'<geom type="cylinder" size="0.35 0.001" euler="-1.5707963267948966 0 0" {TOUCH}/></body></body></body>'
)


def _wheel(name: str, place: str, radius: float = 0.15, mass: float = 1.0) -> str:
    return (
        f'<body name="{name}" pos="{place}"><joint name="{name}" axis="0 1 0"/>'
        f'<geom type="sphere" size="{radius}" mass="{mass}" {TOUCH}/></body>'
    )


CAR = _model(
    '<body name="chassis" pos="0 0 0.15"><freejoint/><inertial pos="0.4 0 0.1" mass="40" diaginertia="2 4 5"/>'
    + _wheel("left", "0 0.4 0")
    + _wheel("right", "0 -0.4 0")
    + '<body name="fork" pos="1 0 0"><joint name="steer" axis="0 0 1" stiffness="20"/>'
    '<inertial pos="0 0 0" mass="1" diaginertia="0.02 0.02 0.02"/>' + _wheel("front", "0 0 0") + "</body></body>"
)


def _snake(links: int) -> str:
    def link(k: int) -> str:
        joint = "<freejoint/>" if k == 0 else f'<joint name="phi{k}" axis="0 0 1" pos="0.1 0 0"/>'
        inner = link(k + 1) if k + 1 < links else ""
        wheels = _wheel(f"l{k}", "0 0.06 0", 0.03, 0.02) + _wheel(f"r{k}", "0 -0.06 0", 0.03, 0.02)
        place = "0 0 0.03" if k == 0 else "-0.2 0 0"
        inertia = '<inertial pos="0 0 0" mass="0.36" diaginertia="0.0005 0.0015 0.0015"/>'
        return f'<body name="link{k}" pos="{place}">{joint}{inertia}{wheels}{inner}</body>'

    return _model(link(0))


SNAKE = _snake(8)
BENT = {f"phi{k + 1}": angle for k, angle in enumerate((0.3, 0.25, 0.1, -0.1, -0.25, -0.3, -0.2))}

CASES = (
    Case("coin", COIN, ("coin",), "coin", (0, 0, 0.1), (0.0, 0.3, 0.0), {"yawdot": 2.0, "pitchdot": 6.0}),
    Case("bicycle", BICYCLE, ("rear", "front"), "frame", (0, 0, 0.3), (0.0, 0.02, 0.0), {"reardot": 16.0}),
    Case("car", CAR, ("left", "right", "front"), "chassis", (0, 0, 0.15), (0.0, 0.0, 0.0), {"leftdot": 12.0, "steerdot": 1.0}),
    Case(
        "snake", SNAKE, tuple(f"{side}{k}" for k in range(8) for side in "lr"), "link0", (0, 0, 0.03), (0.0, 0.0, 0.0),
        {"xdot": 0.6}, BENT,
    ),
)  # fmt: skip
