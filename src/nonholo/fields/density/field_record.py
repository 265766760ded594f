"""The data of a field of one's own: what was written, what was understood, its grid and its equations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.fields.density.density_equations import DensityEquations, derived
from nonholo.fields.density.field_words import FieldWords, read_field
from nonholo.fields.field_starts import number, whole_number
from nonholo.fields.function_grid import Grid, chebyshev, fourier
from nonholo.model.declared_words import Formula, Formulas, Names

EndTable = Mapping[str, object]
LEAST, MOST = 5, 256


@dataclass(frozen=True, repr=False)
class FieldRecord:
    """What a field is given by; `nonholo.fields.density.field.Field` is the same with its questions."""

    unknowns: Names
    lagrangian: Formula
    velocity: tuple[Names, Mapping[str, Formula]] | None = None
    constraint: Formulas = ()
    forces: Mapping[str, Formula] | None = None
    ends: str | EndTable | None = None
    holonomic: Formulas = ()
    parameters: Mapping[str, float] | None = None
    inputs: Names = ()
    length: float = 1.0
    nodes: int = 24
    name: str = "field"

    def __post_init__(self) -> None:
        values = {str(k): number(v, f"{self.name}: {k}") for k, v in dict(self.parameters or {}).items()}
        object.__setattr__(self, "parameters", FrozenMap(values))
        object.__setattr__(self, "length", number(self.length, f"{self.name}: length", 0.0))
        why = f"fewer than {LEAST} nodes cannot carry a function"
        object.__setattr__(self, "nodes", whole_number(self.nodes, f"{self.name}: nodes", LEAST, MOST, why))
        if self.words.periodic and self.nodes % 2 == 0:
            object.__setattr__(self, "nodes", self.nodes + 1)

    @cached_property
    def words(self) -> FieldWords:
        """What was understood."""
        return read_field(self)

    @property
    def values(self) -> dict[str, float]:
        """The parameters by name."""
        return dict(self.parameters or {})

    @cached_property
    def equations(self) -> DensityEquations:
        """Hamel's equations of the field, weak and strong, as expressions."""
        w = self.words
        return derived(w.unknowns, w.components, w.velocity, w.density, w.forces, w.constraints, w.holonomic)

    @property
    def grid(self) -> Grid:
        """The points and their matrices: Chebyshev–Lobatto, or equal ones where it is periodic."""
        return fourier(self.nodes, self.length) if self.words.periodic else chebyshev(self.nodes, self.length)

    def __repr__(self) -> str:
        return f"<Field {self.name}: {', '.join(self.words.unknowns)} over s, {self.nodes} nodes>"
