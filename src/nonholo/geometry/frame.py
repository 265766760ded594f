"""The face of the frames: the record, its laws, and the ways to make new ones."""

from __future__ import annotations

from nonholo.geometry.checks import check_chart, check_frame
from nonholo.geometry.constructions import Euclidean, change_frame, frame_of_forms
from nonholo.geometry.parts import Brackets, Chart, linear_form, rate
from nonholo.geometry.record import Frame, own_chart, product
from nonholo.geometry.structure import (
    bracket,
    bracket_of_fields,
    jacobi_defect,
    jacobi_law,
    onto,
    sample,
    structure_functions,
)

__all__ = [
    "Brackets",
    "Chart",
    "Euclidean",
    "Frame",
    "bracket",
    "bracket_of_fields",
    "change_frame",
    "check_chart",
    "check_frame",
    "frame_of_forms",
    "jacobi_defect",
    "jacobi_law",
    "linear_form",
    "onto",
    "own_chart",
    "product",
    "rate",
    "sample",
    "structure_functions",
]
