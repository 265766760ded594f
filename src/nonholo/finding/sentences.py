"""The one writer: every kind of statement and of evidence becomes English here, and nobody reads it back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from nonholo.finding import conclusions
from nonholo.finding import statements as kinds
from nonholo.finding.statements import AlmostAll, Condition, Evidence, FindingData, Lasting, Searched

Verdict = Literal["holds", "fails", "unknown"]
Kind = TypeVar("Kind", bound=FindingData)
_WRITERS: dict[type[FindingData], Callable[..., str]] = {}


def writes(kind: type[Kind]) -> Callable[[Callable[[Kind, Verdict], str]], Callable[[Kind, Verdict], str]]:
    """Register the function that writes the sentence of a kind for a verdict."""

    def register(function: Callable[[Kind, Verdict], str]) -> Callable[[Kind, Verdict], str]:
        _WRITERS[kind] = function
        return function

    return register


def sentence(data: FindingData, verdict: Verdict) -> str:
    """The sentence of a statement.

    >>> sentence(kinds.Freedom(3, 2), "holds")
    '3 velocities, 2 of them free'
    """
    return _WRITERS[type(data)](data, verdict)


def headline(words: str) -> str:
    """Words as a sentence of their own.

    >>> headline("open: the motion depends on the inputs")
    'Open: the motion depends on the inputs.'
    """
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"


def because(evidence: tuple[Evidence, ...]) -> str:
    """The evidence in words."""
    return "; ".join(words for words in map(_evidence, evidence) if words)


def _evidence(one: Evidence) -> str:
    if isinstance(one, Searched) and one.bounds:
        return f"tried {'; '.join(one.bounds)}"
    return one.words


def when(condition: Condition) -> str:
    """A condition as the end of a sentence.

    >>> when(Condition(steady=("u",))), when(Condition())
    (' while u is constant', '')
    """
    words = " when the inputs are zero" if condition.idle else ""
    for names, state in ((condition.zero, "zero"), (condition.steady, "constant")):
        if names:
            words += f" {'when' if state == 'zero' else 'while'} {', '.join(names)} {'is' if len(names) == 1 else 'are'} {state}"
    words += " between the jumps of its inverse functions" if condition.branches else ""
    return words + (" for these values of the parameters" if condition.values else "")


def lasting_words(condition: Lasting) -> str:
    """While which contacts keep their mode, as the end of a sentence.

    >>> lasting_words(Lasting(rolling=("left", "right"), closed=("left",)))
    ', while left and right roll and left stays closed'
    >>> lasting_words(Lasting(rolling=("disk",), resisting=("disk",)))
    ', while disk rolls, without the resistance to rolling and spin of disk'
    """
    modes = [(condition.rolling, "rolls", "roll"), (condition.closed, "stays closed", "stay closed")]
    if condition.rolling == condition.closed:
        modes = [(condition.rolling, "rolls and stays closed", "roll and stay closed")]
    words = " and ".join(f"{_listed(names)} {one if len(names) == 1 else more}" for names, one, more in modes if names)
    left_out = f", without the resistance to rolling and spin of {_listed(condition.resisting)}" if condition.resisting else ""
    return (f", while {words}" if words else "") + left_out


def almost_all_words(condition: AlmostAll) -> str:
    """For which values of the parameters, as the end of a sentence.

    >>> almost_all_words(AlmostAll(parameters=("a", "b"))), almost_all_words(AlmostAll(parameters=tuple("abcd")))
    (', for almost all values of a and b', ', for almost all values of the parameters')
    """
    names = condition.parameters
    return f", for almost all values of {_listed(names) if len(names) <= FEW else 'the parameters'}" if names else ""


FEW = 3
"""So many names are listed."""


def _listed(names: Sequence[str]) -> str:
    """Names as in a sentence: x, y and z."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


@writes(kinds.Statement)
def _statement(data: kinds.Statement, verdict: Verdict) -> str:
    return data.text


@writes(kinds.FirstIntegral)
def _first_integral(data: kinds.FirstIntegral, verdict: Verdict) -> str:
    what = f"the energy {data.formula}".strip() if data.energy else data.formula
    if verdict == "unknown":
        return f"{what}: not decided whether it is constant{when(data.when)}"
    local = f", a local integral, not single-valued around {_listed(data.local)}" if data.local else ""
    if verdict == "fails":
        return f"{what} is not constant{f', even{when(data.when)}' if data.when else ''}{local}"
    return f"{what} is constant{when(data.when)}{local}"


@writes(kinds.FurtherIntegrals)
def _further(data: kinds.FurtherIntegrals, verdict: Verdict) -> str:
    if verdict == "holds":
        return "there are further conserved quantities"
    if not data.degree:
        return "not decided whether there are further conserved quantities"
    return f"searched for more conserved quantities (polynomials in the velocities up to degree {data.degree}): none found"


@writes(kinds.LinearMomenta)
def _momenta(data: kinds.LinearMomenta, verdict: Verdict) -> str:
    more = "further " if data.further else ""
    end = f"whose coefficients depend on {_listed(data.variables)} alone" + (f", along {data.along}" if data.along else "")
    if data.count is not None:
        most = "at most" if verdict == "unknown" else "near almost every configuration exactly"
        return f"{most} {_count(data.count, 'independent conserved momentum', 'independent conserved momenta')} {end}"
    if verdict == "fails":
        return f"no {more}conserved momentum {end}"
    return f"not decided whether there are {more}conserved momenta {end}"


@writes(kinds.Invariance)
def _invariance(data: kinds.Invariance, verdict: Verdict) -> str:
    plural = len(data.parts) > 1 or data.parts[0] in (kinds.Part.CONSTRAINTS, kinds.Part.FORCES)
    row = f" (row {data.row})" if data.row and verdict == "fails" else ""
    return f"{_listed([p.value for p in data.parts])}{row} {'are' if plural else 'is'} invariant under {_listed(data.generators)}"


@writes(kinds.FieldInside)
def _inside(data: kinds.FieldInside, verdict: Verdict) -> str:
    words = {"holds": "σ lies in D", "fails": "σ does not lie in D, so that reactions act on its momentum"}
    return words.get(verdict, "not decided whether σ lies in D")


@writes(kinds.FieldPreserves)
def _preserves(data: kinds.FieldPreserves, verdict: Verdict) -> str:
    how = "σ fully preserves L" if data.fully else "σ partly preserves L: on the constraints alone"
    return {"holds": how, "fails": "σ does not preserve L"}.get(verdict, "not decided whether σ preserves L")


@writes(kinds.Unimodular)
def _unimodular(data: kinds.Unimodular, verdict: Verdict) -> str:
    words = {"holds": "the algebra is unimodular", "fails": "the algebra is not unimodular"}
    return words.get(verdict, "not decided whether the algebra is unimodular")


@writes(kinds.Agreement)
def _agreement(data: kinds.Agreement, verdict: Verdict) -> str:
    one, other = (EQUATIONS.get(name, f"the equations of {name}") for name in (data.one, data.other))
    if verdict == "unknown":
        return f"{one} were not compared with {other}"
    return f"{one} {'agree' if verdict == 'holds' else 'disagree'} with {other}"


EQUATIONS = {
    "hamel": "Hamel's equations",
    "hamel in a second frame": "Hamel's equations in a second frame",
    "gibbs_appell": "the Gibbs–Appell equations",
    "voronetz": "Voronetz's equations",
    "hamilton": "Hamilton's equations",
    "multipliers": "Lagrange's equations with multipliers",
    "vakonomic": "vakonomic equations",
    "hamel with multipliers": "Hamel's equations with multipliers",
    "kane": "Kane's equations",
    "reduction": "reduced equations",
    "momentum equation (4.10)": "the momentum equations (4.10)",
    "brackets inside D": "those by brackets inside D",
}
"""What the equations of each origin are called in a sentence."""


@writes(kinds.AccelerationsUnique)
def _unique(data: kinds.AccelerationsUnique, verdict: Verdict) -> str:
    return f"the equations determine the accelerations {'only in part' if verdict == 'fails' else 'uniquely'}"


@writes(kinds.Involutive)
def _involutive(data: kinds.Involutive, verdict: Verdict) -> str:
    if verdict == "unknown":
        return "not decided whether the constraints are holonomic"
    if verdict == "holds":
        return "holonomic: brackets of admissible velocities are admissible (involutive)"
    return "truly nonholonomic: small loops lead where no admissible velocity points"


@writes(kinds.Freedom)
def _freedom(data: kinds.Freedom, verdict: Verdict) -> str:
    return f"{data.velocities} velocities, {'all' if data.free == data.velocities else f'{data.free} of them'} free"


def symmetry_words(name: str, spelled: Callable[[str], str] = str) -> str:
    """The name of a symmetry in words; ``spelled`` writes a coordinate.

    >>> symmetry_words("shift_theta + turn_xy"), symmetry_words("turn"), symmetry_words("R_spin3")
    ('shift of theta with turn of xy', 'turn', 'turn of R about its own axis 3')
    """

    def words(part: re.Match[str]) -> str:
        rotation, kind, axis, of = part.groups()
        if axis and (rotation or kind == "spin"):
            body = f" of {spelled(rotation)}" if rotation else ""
            return f"turn{body} about {'its own axis' if kind == 'spin' else 'the fixed axis'} {axis}"
        if of == "own":
            return f"{kind} about its own axis"
        return " ".join([kind, *([axis] if axis else []), *(["of", spelled(of or rotation)] if of or rotation else [])])

    return _SYMMETRY.sub(words, name).replace(" + ", " with ").replace("hidden_", "hidden symmetry ")


_SYMMETRY = re.compile(r"(?<![^\W_])(?:([^\W_]\w*?)_|_)?(?<![^\W_])(shift|turn|spin|scale|shear)(\d*)(?:_(\w+))?(?!\w)")


@writes(kinds.Symmetries)
def _symmetries(data: kinds.Symmetries, verdict: Verdict) -> str:
    if verdict == "holds":
        listed = "; ".join(map(symmetry_words, data.names))
        return f"symmetries{' for these values of the parameters' if data.values else ''}: {listed}"
    return "no shift or rotation leaves the system unchanged" if verdict == "fails" else "symmetries: not decided"


@writes(kinds.Measure)
def _measure(data: kinds.Measure, verdict: Verdict) -> str:
    what = f"{'finite ' if data.density is kinds.Density.FINITE else ''}measure {_DENSITIES[data.density]} is preserved"
    what += " for these values of the parameters" if data.values else ""
    return {"holds": f"a {what}", "fails": f"no {what}", "unknown": f"not decided whether a {what}"}[verdict]


_DENSITIES = {
    kinds.Density.CONFIGURATION: "whose density depends on the configuration alone",
    kinds.Density.VELOCITIES: "whose density depends on the configuration and the velocities",
    kinds.Density.PHASE: "whose density depends on the configuration and the phase of the forces",
    kinds.Density.TIME: "whose density depends on time",
    kinds.Density.FINITE: "with a density",
    kinds.Density.SMOOTH: "with a smooth positive density",
    kinds.Density.INVARIANT: "with a smooth positive density that is invariant under the symmetries",
    kinds.Density.SHAPE_MOMENTA: "f(r) dr dP",
    kinds.Density.SHAPE: "f(r) dr dP of the shape",
}


@writes(kinds.TimeReversible)
def _reversible(data: kinds.TimeReversible, verdict: Verdict) -> str:
    words = {"holds": "time reversible", "fails": "not time reversible", "unknown": "not decided whether it is time reversible"}
    return words[verdict]


@writes(kinds.ReducedHamiltonian)
def _hamiltonian(data: kinds.ReducedHamiltonian, verdict: Verdict) -> str:
    clock = f" in the time dτ = N dt with N = {data.clock}" if data.clock else ""
    theorem = f" ({data.theorem})" if data.theorem else ""
    if verdict == "holds":
        return f"the reduced motion is Hamiltonian{clock}{theorem}"
    if not data.new_time:
        return f"the reduced motion is {'not Hamiltonian' if verdict == 'fails' else 'perhaps Hamiltonian: not decided'}"
    if verdict == "fails":
        return "Chaplygin's change of time does not make the reduced motion Hamiltonian"
    return "not decided whether Chaplygin's change of time makes the reduced motion Hamiltonian"


@writes(kinds.MotionFills)
def _fills(data: kinds.MotionFills, verdict: Verdict) -> str:
    if data.dimension is None:
        return "the dimension that one motion fills was not measured"
    if verdict != "holds" and data.error > 0.5:
        return "the dimension that one long motion fills could not be measured: the estimates disagree"
    if verdict != "holds":
        return f"one long motion fills {data.dimension:.1f} ± {data.error:.1f} dimensions: not clear"
    sure = "" if data.clear else "; this is not a clear whole number"
    if data.shrinks is not None:
        fills = f" that fills {data.dimension:.1f} ± {data.error:.1f} of {data.space} dimensions" if data.clear else ""
        return f"the motion ends on an attractor{fills}: volumes shrink along it as exp(-{data.shrinks:.3g}*t)"
    return (
        f"one long motion fills {data.dimension:.1f} ± {data.error:.1f} of {data.space} dimensions, as if there were "
        f"{_count(data.integrals, 'integral')}{sure}"
    )


@writes(kinds.MotionFillsCurve)
def _curve(data: kinds.MotionFillsCurve, verdict: Verdict) -> str:
    return f"the integrals confine each motion to a curve in the {data.space}"


@writes(kinds.Stable)
def _stable(data: kinds.Stable, verdict: Verdict) -> str:
    what = "the orbit" if data.orbit else "it"
    return f"not decided whether {what} is stable" if data.degree == "not decided" else f"{what} is {data.degree}"


@writes(kinds.Property)
def _property(data: kinds.Property, verdict: Verdict) -> str:
    return {"holds": data.text, "fails": data.otherwise, "unknown": f"not decided: {data.text}"}[verdict]


@writes(kinds.Hint)
def _hint(data: kinds.Hint, verdict: Verdict) -> str:
    return data.text


@writes(kinds.WindingTorus)
def _torus(data: kinds.WindingTorus, verdict: Verdict) -> str:
    if verdict != "holds":
        return "the motion is not quasi-periodic" if verdict == "fails" else "not decided whether the motion is quasi-periodic"
    told = ", ".join(f"{w:.6g} rad/s of {n}" for n, w in data.frequencies)
    return f"the motion is quasi-periodic on a torus of {data.dimension} dimensions, with frequencies {told}"


@writes(kinds.Defect)
def _defect(data: kinds.Defect, verdict: Verdict) -> str:
    return f"a proof and a computed motion contradict each other; please report this with the system: {data.text}"


def conclusion_sentence(found: conclusions.Conclusion) -> str:
    """What follows from a judgement.

    >>> conclusion_sentence(conclusions.Open(2))
    'open: 2 dimensions are left after the known integrals'
    """
    match found:
        case conclusions.IntegrableByQuadratures():
            word = "" if found.exact else " (some known as numbers)"
            leave = "leaves" if found.integrals == 1 else "leave"
            many = _count(found.integrals, "independent integral")
            rest = f"; then {_listed(found.rest)} by successive quadratures (a skew product)" if found.rest else ""
            verb = "are" if len(found.around) > 1 else "is"
            where = f" while {_listed(found.around)} {verb} counted beyond a turn (local integrals)" if found.around else ""
            return f"integrable by quadratures{where}: {many}{word} {leave} curves in the {_space(found)}{rest}"
        case conclusions.IntegrableByEulerJacobi():
            word = "" if found.exact else " (some known as numbers)"
            many = _count(found.integrals, "independent integral")
            return f"integrable by the Euler–Jacobi theorem: {many}{word} and an invariant measure on the {_space(found)}"
        case conclusions.General():
            return f"no sign of integrability: {_left(found.left)}, and one long motion fills {found.fills:.1f}"
        case conclusions.Attracted():
            fills = "" if found.fills is None else f" of {found.fills:.1f} dimensions"
            return f"attractor: the motion ends on an attractor{fills}, which says nothing about integrals; {_left(found.left)}"
        case conclusions.Open(left, None):
            return f"open: {_left(left)}"
        case conclusions.Open(left, fills):
            return f"open: {_left(left)}, but one long motion fills only {fills:.1f}: further integrals, or a special start"
        case conclusions.OpenBeyondTests(integrals):
            are = "is" if integrals == 1 else "are"
            return f"open: {_count(integrals, 'integral')} {are} known, but the equations are too complicated for the exact tests"
        case conclusions.OpenByInputs():
            return "open: the motion depends on the inputs"
    raise TypeError(f"no sentence for a conclusion {found!r}")


def _count(number: int, noun: str, nouns: str = "") -> str:
    return f"{number} {noun if number == 1 else nouns or f'{noun}s'}"


def _space(found: conclusions.Integrable) -> str:
    return f"{found.space} ({_count(found.dimension, 'dimension')})"


def _left(dimensions: int) -> str:
    return f"{_count(dimensions, 'dimension')} {'is' if dimensions == 1 else 'are'} left after the known integrals"
