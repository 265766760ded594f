"""The record of a certificate: the system, the claim in formulas, the prime and the states, as plain data; and the theorems.

Every identity is one of rational functions of coordinates, velocities, parameters and of sines, roots and exponentials with their
relations. One that vanishes at random states modulo a prime is zero, but for a chance of degree over prime at each state; a rank
or a number that is not zero modulo a prime is not smaller over the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nonholo.algebra.calculus import ZERO, along, expand, symbols
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.prime.modular_arithmetic import P
from nonholo.finding import Finding, FindingData
from nonholo.geometry.distributions.frame_volume import divergences
from nonholo.model.system import System
from nonholo.symmetry.certificate.stated_system import Stated
from nonholo.symmetry.exact.modular_states import Held

FORMAT = "nonholo certificate 2"
RANDOM = "an identity of rational functions that holds at random points modulo a prime [Schwartz 1980; Zippel 1979]"
MOTION = "the equations of motion with multipliers [Lagrange 1788; Hamel 1904; Chetaev 1932]"
THEOREMS = {
    "freedom": "the rank of the constraints' slopes modulo a prime, the largest there is [Schwartz 1980]",
    "first_integral": f"the rate of the integral is zero along {MOTION}; {RANDOM}",
    "not_first_integral": f"the rate of the quantity is not zero at a state, along {MOTION}",
    "symmetries": f"the prolonged field keeps constraints and accelerations [Lie 1891; Olver 1986]; {RANDOM}",
    "no_symmetries": "the conditions on the factors of shifts and turns have full rank modulo a prime, so also over the numbers",
    "measure": f"d(ln f)/dt + div = 0 [Liouville 1838]; {RANDOM}",
    "contraction": f"d(ln g)/dt + div is the same number everywhere [Liouville 1838]; {RANDOM}",
    "no_measure_trace": (
        "at an equilibrium, or where the motion goes along symmetries, a density asks for a trace that is zero [Kozlov 1988]"
    ),
    "no_measure_homogeneous": "quadratic rates keep a smooth density only where their divergence is zero [Kozlov 1988]",
    "no_measure_brackets": (
        "X[ln f] = -Theta for admissible fields and their brackets: two values in one direction [Frobenius 1877; Jovanovic 1998]"
    ),
    "motion_fills_curve": (
        "so many independent integrals, one less than dimensions, leave a curve [Jacobi 1866]; ranks modulo a prime"
    ),
    "linear_momenta": (
        "a linear system whose prolongation has no symbol and the same solutions at two orders has so many; fewer where it has "
        "none [Cartan 1904; Kuranishi 1957; Goldschmidt 1967]; ranks modulo a prime"
    ),
    "unimodular": "traces of the adjoint maps, read from the structure constants, vanish identically",
    "not_unimodular": "a trace of an adjoint map, read from the structure constants, does not vanish",
    "field_inside": f"the slopes of the constraints annihilate the field [Chetaev 1932]; {RANDOM}",
    "field_preserves": f"the lifted field does not change the Lagrangian [Noether 1918]; {RANDOM}",
    "brackets_span": (
        "brackets of analytic fields that span at one state span at almost every one: accessible, and controllable without drift "
        "[Rashevskii 1938; Chow 1939; Sussmann and Jurdjevic 1972]; ranks modulo a prime"
    ),
    "brackets_close": (
        "brackets of analytic fields to which longer ones add nothing at almost every state confine motions to leaves "
        "[Frobenius 1877; Hermann 1963; Nagano 1966]; ranks modulo a prime"
    ),
    "brackets_of_group": (
        "the brackets' velocities hold so many directions of the group [Kelly and Murray 1995]; ranks modulo a prime"
    ),
    "fewer_inputs": (
        "without drift, velocities fill the span of the input fields alone [Kalman 1960; Brockett 1983]; ranks modulo a prime"
    ),
}
"""The theorem that each kind of certificate applies."""


@dataclass(frozen=True)
class Certificate:
    """One claim with what proves it; `as_json` is what a checker reads."""

    kind: str
    claim: str
    system: FrozenMap[str, object]
    formulas: FrozenMap[str, object]
    states: tuple[FrozenMap[str, int], ...]
    prime: int = P

    @property
    def theorem(self) -> str:
        """The theorem applied, with its reference."""
        return THEOREMS[self.kind]

    def as_json(self) -> dict[str, object]:
        """Plain data: every number an integer below the prime, every formula text that SymPy reads."""
        names = sorted({n for state in self.states for n in state if "(" in n})
        relations = [f"sin({n[4:-1]})**2 + cos({n[4:-1]})**2 - 1" for n in names if n.startswith("sin(")]
        relations += [f"{n}**2 - ({n[5:-1]})" for n in names if n.startswith("sqrt(")]
        return {
            "format": FORMAT, "kind": self.kind, "claim": self.claim, "theorem": self.theorem, "prime": self.prime,
            "system": dict(self.system), "formulas": dict(self.formulas), "relations": relations,
            "states": [dict(state) for state in self.states],
        }  # fmt: skip


def made(
    stated: Stated,
    finding: Finding,
    kind: str,
    formulas: Mapping[str, Any],
    count: int,
    *,
    measured: bool = False,
    held: Held | None = None,
    loose: int = 0,
) -> Certificate:
    """The certificate with states at which all formulas have numbers; ``measured`` adds the speeds and the volume.

    ``loose`` are so many more states whose velocities need not be admissible.
    """
    table = {n: e if isinstance(e, (str, list, int, dict, bool)) else stated.texts([e])[0] for n, e in formulas.items()}
    if measured:
        table |= {"speeds": stated.speeds, "volume": volume_of(stated)}
    states = stated.states(count, texts_of(table), held)
    states += stated.states(loose, texts_of(table), loose=True)
    return Certificate(kind, finding.claim, FrozenMap(stated.record), FrozenMap(table), tuple(states))


def texts_of(table: Mapping[str, object]) -> list[str]:
    """The formulas of a table, without words."""
    found: list[str] = []
    for name, item in table.items():
        if name in ("density", "rate", "integral", "quantity", "mass"):
            found.append(str(item))
        elif name in ("fields", "components", "basis") and isinstance(item, list):
            found += [e for row in item for e in row]
        elif name in ("integrals", "values", "family", "momenta", "rates", "steps", "velocity") and isinstance(item, list):
            found += item
        elif name == "speeds" and isinstance(item, dict):
            found += list(item.values())
    return found


def volume_of(stated: Stated) -> str:
    """Whether volumes are those of the coordinates, where the frame keeps all relations, or of the forms dual to the frame."""
    frame = stated.system.frame
    x, known = symbols(frame.coordinates), divergences(frame)
    for j, column in enumerate(zip(*frame.anchor)):
        own = sum((e.diff(c) for e, c in zip(column, x)), ZERO)
        if any(expand(e) != 0 for e in (own - known[j], *along(frame.relations, dict(zip(x, column))))):
            return "frame"
    return "coordinates"


Maker = Callable[[System, Finding, Mapping[str, float] | None], Certificate | None]
MAKERS: dict[type[FindingData], Maker] = {}
"""How findings of a kind are certified, where their kind alone tells."""


def certifies(*kinds: type[FindingData]) -> Callable[[Maker], Maker]:
    """Register the maker of certificates of some kinds of findings."""

    def register(maker: Maker) -> Maker:
        MAKERS.update(dict.fromkeys(kinds, maker))
        return maker

    return register
