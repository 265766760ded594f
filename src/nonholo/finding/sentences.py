"""The one writer: every kind of statement and of evidence becomes English here, and nobody reads it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from nonholo.finding import conclusions
from nonholo.finding import statements as kinds
from nonholo.finding.evidence_kinds import Evidence, Searched
from nonholo.finding.statements import Condition, FindingData

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

    >>> headline("open: what it does depends on its inputs")
    'Open: what it does depends on its inputs.'
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
    return words + (" for these values of the parameters" if condition.values else "")


def _listed(names: Sequence[str]) -> str:
    """Names as in a sentence: x, y and z."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


@writes(kinds.Statement)
def _statement(data: kinds.Statement, verdict: Verdict) -> str:
    return data.text


@writes(kinds.FirstIntegral)
def _first_integral(data: kinds.FirstIntegral, verdict: Verdict) -> str:
    what = f"the energy {data.formula}".strip() if data.energy else data.formula
    local = f", a local integral, not single-valued around {_listed(data.local)}" if data.local else ""
    return f"{what} is constant{when(data.when)}{local}"


@writes(kinds.FurtherIntegrals)
def _further(data: kinds.FurtherIntegrals, verdict: Verdict) -> str:
    return "a further integral is known"


@writes(kinds.LinearMomenta)
def _momenta(data: kinds.LinearMomenta, verdict: Verdict) -> str:
    more = "further " if data.further else ""
    end = f"with coefficients of {', '.join(data.variables)}" + (f" along {data.along}" if data.along else "")
    if data.count is not None:
        most = "at most " if verdict == "unknown" else ""
        many = "is {}1 momentum" if data.count == 1 else f"are {{}}{data.count} independent momenta"
        return f"there {many.format(most)} {end}"
    return f"there {f'is a {more}momentum' if verdict == 'fails' else f'are {more}momenta'} {end}"


@writes(kinds.Invariance)
def _invariance(data: kinds.Invariance, verdict: Verdict) -> str:
    plural = len(data.parts) > 1 or data.parts[0] in (kinds.Part.CONSTRAINTS, kinds.Part.FORCES)
    row = f" (row {data.row})" if data.row and verdict == "fails" else ""
    return f"{_listed([p.value for p in data.parts])}{row} {'are' if plural else 'is'} invariant under {_listed(data.generators)}"


@writes(kinds.Agreement)
def _agreement(data: kinds.Agreement, verdict: Verdict) -> str:
    return f"{data.one} agrees with {data.other}"


@writes(kinds.AccelerationsUnique)
def _unique(data: kinds.AccelerationsUnique, verdict: Verdict) -> str:
    return "the accelerations are unique"


@writes(kinds.Involutive)
def _involutive(data: kinds.Involutive, verdict: Verdict) -> str:
    return "the admissible velocities are involutive"


@writes(kinds.Freedom)
def _freedom(data: kinds.Freedom, verdict: Verdict) -> str:
    return f"{data.velocities} velocities, {'all' if data.free == data.velocities else f'{data.free} of them'} free"


@writes(kinds.Symmetries)
def _symmetries(data: kinds.Symmetries, verdict: Verdict) -> str:
    return f"symmetries: {'; '.join(data.names)}" if data.names else "a shift or turn leaves the system as it is"


@writes(kinds.Measure)
def _measure(data: kinds.Measure, verdict: Verdict) -> str:
    finite = "finite " if data.density is kinds.Density.FINITE else ""
    return f"a {finite}measure {_DENSITIES[data.density]} is preserved"


_DENSITIES = {
    kinds.Density.CONFIGURATION: "with a density of the configuration",
    kinds.Density.VELOCITIES: "with a density of the configuration and the velocities",
    kinds.Density.PHASE: "with a density of the configuration and the phase of the forces",
    kinds.Density.TIME: "with a density that depends on time",
    kinds.Density.FINITE: "with a density",
    kinds.Density.SMOOTH: "with a smooth positive density",
    kinds.Density.INVARIANT: "with a smooth positive density that the symmetries leave alone",
    kinds.Density.SHAPE_MOMENTA: "f(r) dr dP",
    kinds.Density.SHAPE: "f(r) dr dP of the shape",
}


@writes(kinds.TimeReversible)
def _reversible(data: kinds.TimeReversible, verdict: Verdict) -> str:
    return "time reversible"


@writes(kinds.ReducedHamiltonian)
def _hamiltonian(data: kinds.ReducedHamiltonian, verdict: Verdict) -> str:
    if verdict != "holds" or not data.new_time:
        return f"the reduced motion is Hamiltonian{', perhaps in a new time' if data.new_time else ''}"
    clock = f", dτ = N dt with N = {data.clock}" if data.clock else ""
    return f"the shape's motion is Hamiltonian ({data.theorem}){clock}"


@writes(kinds.MotionFills)
def _fills(data: kinds.MotionFills, verdict: Verdict) -> str:
    if data.dimension is None:
        return "a motion shows how many integrals there are"
    if verdict != "holds":
        return f"a motion shows how many integrals there are: {data.dimension:.1f} ± {data.error:.1f} dimensions filled"
    sure = "clear" if data.clear else "not clear-cut"
    if data.shrinks is not None:
        fills = f" that fills {data.dimension:.1f} ± {data.error:.1f} of {data.space} dimensions" if data.clear else ""
        return f"a motion ends on an attractor{fills}: volumes shrink along it as exp(-{data.shrinks:.3g} t)"
    return (
        f"a motion fills {data.dimension:.1f} ± {data.error:.1f} of {data.space} dimensions: as with {data.integrals} "
        f"integrals ({sure})"
    )


@writes(kinds.MotionFillsCurve)
def _curve(data: kinds.MotionFillsCurve, verdict: Verdict) -> str:
    return f"a motion fills no more than a curve of the {data.space}"


@writes(kinds.Stable)
def _stable(data: kinds.Stable, verdict: Verdict) -> str:
    return f"the orbit is {data.degree}" if data.orbit else f"it is {data.degree}"


@writes(kinds.Property)
def _property(data: kinds.Property, verdict: Verdict) -> str:
    return {"holds": data.text, "fails": data.otherwise, "unknown": f"not decided: {data.text}"}[verdict]


@writes(kinds.Hint)
def _hint(data: kinds.Hint, verdict: Verdict) -> str:
    return data.text


@writes(kinds.WindingTorus)
def _torus(data: kinds.WindingTorus, verdict: Verdict) -> str:
    told = ", ".join(f"{w:.6g} rad/s of {n}" for n, w in data.frequencies)
    return f"a motion winds round a torus of {data.dimension} dimensions with the frequencies {told}"


def conclusion_sentence(found: conclusions.Conclusion) -> str:
    """What follows from a judgement.

    >>> conclusion_sentence(conclusions.Open(2))
    'open: 2 dimensions are left after the known integrals'
    """
    match found:
        case conclusions.IntegrableByQuadratures():
            word = "" if found.exact else ", some of them known as numbers"
            leave = "leaves" if found.integrals == 1 else "leave"
            many = _count(found.integrals, "independent integral")
            rest = f"; then {_listed(found.rest)} by successive quadratures (a skew product)" if found.rest else ""
            return f"integrable by quadratures: {_on(found)} {many}{word} {leave} curves{rest}"
        case conclusions.IntegrableByEulerJacobi():
            word = "" if found.exact else " (some known as numbers)"
            many = _count(found.integrals, "independent integral")
            return f"integrable by the Euler–Jacobi theorem: {_on(found)} {many}{word} and an invariant measure"
        case conclusions.General():
            return f"behaves like a general system: {_left(found.left)}, and a motion fills {found.fills:.1f}"
        case conclusions.Attracted():
            fills = "" if found.fills is None else f" of {found.fills:.1f} dimensions"
            return f"attracted: a motion ends on an attractor{fills}, which tells nothing of integrals; {_left(found.left)}"
        case conclusions.Open(left, None):
            return f"open: {_left(left)}"
        case conclusions.Open(left, fills):
            return f"open: {_left(left)}, but a motion fills only {fills:.1f}: further integrals, or a special start"
        case conclusions.OpenBeyondTests(integrals):
            are = "is" if integrals == 1 else "are"
            return f"open: {_count(integrals, 'integral')} {are} known, and its equations are beyond the exact tests"
        case conclusions.OpenByInputs():
            return "open: what it does depends on its inputs"
    raise TypeError(f"no sentence for a conclusion {found!r}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _on(found: conclusions.Integrable) -> str:
    return f"on the {found.space} ({_count(found.dimension, 'dimension')})"


def _left(dimensions: int) -> str:
    return f"{_count(dimensions, 'dimension')} {'is' if dimensions == 1 else 'are'} left after the known integrals"
