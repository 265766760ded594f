"""Random metrics, frames and constraints: the derivations agree on systems nobody chose."""

from __future__ import annotations

import numpy as np
import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st

from nonholo.derive.laws.check import check
from nonholo.finding import Agreement
from nonholo.geometry.frames.frame import Euclidean, change_frame
from nonholo.model.system import System


def random_function(random: np.random.Generator, x: list) -> se.Basic:
    """A bounded smooth function of the coordinates."""
    a, b = random.integers(0, len(x), 2)
    return se.Rational(int(random.integers(1, 5)), 7) * se.sin(
        x[a] + int(random.integers(0, 4)) * x[b] + int(random.integers(0, 9))
    )


def random_system(seed: int, count: int, constrained: int, affine: bool, potential: bool) -> System:
    random = np.random.default_rng(seed)
    names = [f"q{i}" for i in range(count)]
    x = [se.Symbol(n) for n in names]
    v = [se.Symbol(f"{n}dot") for n in names]
    roots = [[random_function(random, x) + (2 if i == j else 0) for j in range(count)] for i in range(count)]
    kinetic = sum(sum(r * w for r, w in zip(row, v)) ** 2 for row in roots) / 2
    other = sum(random_function(random, x) * w for w in v) - random_function(random, x) if potential else 0
    rows = []
    for k in range(constrained):
        row = [random_function(random, x) for _ in x]
        row[k] += 2
        rows.append(
            sum(r * w for r, w in zip(row, v))
            + (random_function(random, x) + se.sin(se.Symbol("t")) / 3 if affine else 0)
        )
    forces = {names[0]: -v[-1] * se.Rational(1, 3) + random_function(random, x)}
    magnetic = {(names[0], names[1]): random_function(random, x)} if count > 1 else {}
    return System(
        name=f"random {seed}",
        coordinates=names,
        lagrangian=kinetic + other,
        constraints=rows,
        forces=forces,
        magnetic=magnetic,
    )


@settings(max_examples=8, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(2, 4),
    constrained=st.integers(0, 2),
    affine=st.booleans(),
    potential=st.booleans(),
)
def test_derivations_agree_on_random_systems(seed, count, constrained, affine, potential):
    system = random_system(seed, count, min(constrained, count - 1), affine, potential)
    findings = check(system, count=2)
    assert not [str(f) for f in findings if f.verdict == "fails"]
    assert sum(isinstance(f.data, Agreement) and bool(f) for f in findings) == 5


@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), product=st.booleans())
def test_nonlinear_constraints_agree_on_random_systems(seed, product):
    random = np.random.default_rng(seed)
    base = random_system(seed, 3, 0, False, True)
    v = [se.Symbol(f"{c}dot") for c in base.coordinates]
    x = [se.Symbol(c) for c in base.coordinates]
    nonlinear = (
        v[0] * v[1] - (1 + random_function(random, x)) * v[2] * v[0] - (0 if product else 1) * (v[2] + 1)
        if random
        else 0
    )
    system = System(
        name=base.name,
        coordinates=base.coordinates,
        lagrangian=base.lagrangian,
        constraints=[nonlinear],
        forces=dict(base.forces),
    )
    findings = check(system, count=2)
    assert not [str(f) for f in findings if f.verdict == "fails"]
    assert sum(isinstance(f.data, Agreement) and bool(f) for f in findings) == 5


def test_a_system_written_in_a_varying_frame_moves_as_in_its_coordinates():
    """The same Lagrangian given through a frame's own velocities, with brackets at work."""
    base = random_system(3, 3, 1, False, True)
    x = [se.Symbol(c) for c in base.coordinates]
    frame = change_frame(
        Euclidean(base.coordinates), [[1, 0, se.sin(x[1]) / 2], [se.cos(x[0]) / 3, 1, 0], [0, x[0] / 4, 1]], "u1 u2 u3"
    )
    written = System(
        name="in a frame",
        frame=frame,
        lagrangian=base.lagrangian,
        constraints=base.constraints,
        forces=dict(base.forces),
        magnetic=dict(base.magnetic),
    )
    from nonholo.derive.hamel import hamel
    from nonholo.derive.laws.check import _at, random_states
    from nonholo.derive.multipliers import multipliers

    for state in random_states(base, count=3):
        witness = _at(multipliers(base), state).rates
        found = _at(hamel(written), state).rates
        assert max(abs(witness[f"{c}dot"] - found[f"{c}dot"]) for c in base.coordinates) < 1e-10
