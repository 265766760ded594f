"""Public interface of frames: the record, its laws, its constructions."""

from __future__ import annotations

from nonholo.geometry.frames.brackets import (
    bracket,
    bracket_of_fields,
    jacobi_defect,
    jacobi_law,
    onto,
    sample,
    structure_functions,
)
from nonholo.geometry.frames.frame_checks import check_chart, check_frame
from nonholo.geometry.frames.frame_constructions import Euclidean, change_frame, frame_of_forms
from nonholo.geometry.frames.frame_record import Frame, own_chart, product
from nonholo.geometry.frames.frame_words import Brackets, Chart, linear_form, rate

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
