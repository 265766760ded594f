"""nonholo: mechanics with velocity constraints, from a few lines of text to motion.

    a system      System load dump Symmetry translation planar_motion rotation Drawing
    a machine     Machine assemble Body Joint Contact Wheel Caster Spring Motor Sensor Load Gear Ground Shape
    points        particles inertia
    its frame     Frame Euclidean SO3 Quaternion SE2 SE3 LieAlgebra spatial
    equations     hamel multipliers gibbs_appell voronetz hamilton Equations
    questions     check classify Classification complete_state reactions Reactions energy reduce Reduction integrals conserved
                  noether Noether discrete_symmetries measure hamiltonise Hamiltonised verdict Judgement Finding Dossier
    methods       DiscreteLagrangian discrete_lagrangian
    motion        prepare Model simulate sampled controller Trajectory Outcome Event open ensemble sweep
    control       linearise Linearisation fit Fit controllability Controllability lqr trim
    steering      steer Steering gait Gait environment task task_names observer Observer
    behaviour     equilibria relative_equilibria Equilibrium stability Stability branch Branch boundaries Boundaries
                  orbit Orbit OrbitFamily frequencies Frequencies
    chaos         lyapunov Lyapunov section Section on_level chart ChaosChart
    errors        NonholoError ParseError ModelError StateError FileError
    elsewhere     export from_sympy
    on paper      report compare_methods figures

and in rooms of their own: ``gallery`` (systems of the literature), ``fields`` (strings and fluids), ``control``
(controllability, flatness, steering, gaits, feedback), ``frames`` and ``forms`` (more of both), ``pictures`` (portraits,
strips, comparisons), ``studies`` (reduction to quadratures).
"""

from __future__ import annotations

import sys
from _thread import RLock  # as threading has it; nothing that is not loaded yet: Ctrl-C shall find nobody unprepared
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

_NAMES: dict[str, str] = {
    "model.system": "System",
    "machines.machine_files": "load dump",
    "machines.machine": "Machine",
    "machines.machine_system": "assemble",
    "machines.machine_records": "Body Joint Contact Wheel Caster Spring Motor Sensor Load Gear Ground Shape",
    "model.constructions.point_masses": "particles",
    "model.constructions.mass_distribution": "inertia",
    "model.symmetry_declaration": "Symmetry translation planar_motion rotation",
    "model.drawing.shapes": "Drawing",
    "geometry.frames.frame": "Frame Euclidean",
    "geometry.groups.matrix_groups": "SO3 Quaternion SE2 SE3",
    "geometry.groups.lie_algebra": "LieAlgebra",
    "geometry.frames.frame_files": "spatial",
    "derive.hamel": "hamel",
    "derive.multipliers": "multipliers",
    "derive.gibbs_appell": "gibbs_appell",
    "derive.voronetz": "voronetz",
    "derive.hamilton": "hamilton",
    "derive.equations": "Equations",
    "derive.laws.check": "check",
    "analyse.constraints.classify_constraints": "classify",
    "analyse.constraints.classification": "Classification",
    "derive.states.consistent_state": "complete_state",
    "derive.laws.reactions": "reactions energy Reactions",
    "symmetry.reduction.reduce": "reduce Reduction",
    "symmetry.integrals.integrals": "integrals",
    "symmetry.integrals.conserved_quantity": "conserved",
    "symmetry.integrals.noether_momentum": "noether Noether",
    "symmetry.group.discrete_symmetries": "discrete_symmetries",
    "symmetry.judgement.verdict": "verdict Judgement",
    "symmetry.quadrature.chaplygin_time": "measure hamiltonise Hamiltonised",
    "finding": "Finding",
    "integrate.model": "prepare Model",
    "integrate.inputs": "sampled controller",
    "analyse.linear.linearise": "linearise Linearisation",
    "analyse.fitting.fit_parameters": "fit Fit",
    "control.reachability.controllability": "controllability Controllability",
    "control.feedback.riccati": "lqr",
    "control.steering.steer": "steer Steering",
    "control.gaits.gait": "gait Gait",
    "control.feedback.trim": "trim",
    "control.environments.environment": "environment",
    "control.observers.observer": "observer Observer",
    "gallery.learning_tasks": "task task_names",
    "analyse.steady.equilibria": "equilibria relative_equilibria",
    "analyse.steady.equilibrium_record": "Equilibrium",
    "analyse.stability.stability": "stability Stability",
    "analyse.continuation.branch": "branch Branch",
    "analyse.stability.stability_boundaries": "boundaries Boundaries",
    "analyse.chaos.lyapunov_spectrum": "lyapunov Lyapunov",
    "analyse.chaos.poincare_section": "section Section",
    "integrate.many.energy_levels": "on_level",
    "analyse.chaos.indicator_chart": "chart ChaosChart",
    "analyse.orbits.orbit": "orbit Orbit",
    "analyse.chaos.frequency_analysis": "frequencies Frequencies",
    "analyse.orbits.orbit_family": "OrbitFamily",
    "integrate.motion.simulate": "simulate",
    "integrate.methods.discrete_lagrangian": "DiscreteLagrangian discrete_lagrangian",
    "integrate.motion.trajectory": "Trajectory open",
    "integrate.motion.integration": "Event",
    "integrate.outcome": "Outcome",
    "dossier": "Dossier",
    "integrate.many.ensemble": "ensemble",
    "gallery.named_sweep": "sweep",
    "compile.export": "export",
    "derive.from_sympy": "from_sympy",
    "errors": "NonholoError ParseError ModelError StateError FileError",
    "present.report.report_file": "report",
    "present.figures.comparison_plot": "compare_methods",
    "present.figures.paper_figures": "figures",
}
"""Module -> the names it lends to the front, in the order in which a reader meets them."""

_SPACES: dict[str, tuple[str, dict[str, str]]] = {
    "frames": (
        "Frames, and what is asked of them: structure functions, changes of frame, groups and algebras.",
        {
            "geometry.frames.frame": "Frame Chart Euclidean structure_functions change_frame jacobi_law",
            "geometry.groups.matrix_groups": "SO3 Quaternion SE2 SE3 Vertical rotation_matrix",
            "geometry.groups.lie_algebra": "LieAlgebra so se heisenberg",
            "geometry.groups.adjoint": "ad ad_star Ad Ad_star trace_form unimodular",
            "geometry.frames.frame_files": "spatial",
        },
    ),
    "forms": (
        "Forms of the equations of motion and what belongs to them: connections, brackets, vakonomic equations.",
        {
            "derive.hamel": "hamel",
            "derive.multipliers": "multipliers",
            "derive.gibbs_appell": "gibbs_appell",
            "derive.voronetz": "voronetz connection",
            "derive.hamilton": "hamilton",
            "symmetry.reduction.reduced_bracket": "almost_poisson bracket jacobiator",
            "derive.vakonomic": "vakonomic",
            "derive.principles.action_variation": "hamel_terms action action_variation",
            "derive.principles.frame_multipliers": "hamel_multipliers",
            "derive.principles.symplectic_form": "lagrangian_forms",
            "derive.principles.dirac_structure": "dirac",
            "model.constructions.five_tuple": "five_tuple",
            "model.velocities.parametrisation": "parametric implicit",
            "model.velocities.constraint_branches": "constraint_branches",
        },
    ),
    "pictures": (
        "Pictures beyond those of one motion: phase portraits, momentum planes, film strips, methods compared.",
        {
            "present.figures.phase_portrait": "phase_portrait momentum_plane",
            "present.film.film_strip": "film_strip",
            "present.figures.comparison_plot": "compare_methods",
            "present.figures.gait_plots": "connection_plot height_plot",
            "present.report.report_file": "report",
        },
    ),
    "studies": (
        "Reduction carried to its end: conserving frames, vertical velocities, reduced potentials, periods.",
        {
            "present.figures.reduction_plot": "study",
            "symmetry.quadrature.effective_system": "reduced_system",
            "symmetry.quadrature.adjoint_equation": "flatness adjoint_equation",
            "symmetry.quadrature.falling": "falling",
            "symmetry.quadrature.chaplygin_ball": "chaplygin_ball",
            "symmetry.measure.density_absence": "suslov_criterion",
            "symmetry.quadrature.vertical_velocity": "vertical",
            "symmetry.quadrature.periods": "cycle after_period",
            "symmetry.reduction.momentum.parallel_basis": "momentum_frame adapted_frame",
            "symmetry.reduction.momentum.labelled_equations": "spatial_momenta spatial_momentum_equation",
        },
    ),
}
"""Name of a room at the front -> what it is for, and its names by module."""
_ROOMS = ("control", "fields", "gallery")
"""Rooms of the house that stand at the front as they are."""


def _places(table: dict[str, str]) -> dict[str, str]:
    return {name: f"nonholo.{module}" for module, names in table.items() for name in names.split()}


_FRONT = _places(_NAMES)
_WHERE: dict[str, str] = {**{n: m for _, table in _SPACES.values() for n, m in _places(table).items()}, **_FRONT}
"""Public name -> module, names of the rooms too; loaded when first used, so that ``import nonholo`` stays quick."""

__all__ = [*(n for n in _FRONT if n != "open"), "__version__", *_ROOMS, *_SPACES]
"""What ``from nonholo import *`` brings: not ``open``, which would hide Python's own."""


class _Space(type(sys)):  # type: ignore[misc]
    """A room at the front: its names are loaded when first used."""

    def __init__(self, name: str, purpose: str, table: dict[str, str]) -> None:
        super().__init__(f"nonholo.{name}", purpose)
        self.__dict__["__all__"] = list(_places(table))
        self.__dict__["__path__"] = []

    def __getattr__(self, name: str) -> Any:
        if name not in self.__all__:
            raise AttributeError(f"{self.__name__} has no name {name!r}{_meant(name, self.__all__)}")
        value = getattr(import_module(_WHERE[name]), name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted(self.__all__)


for _name, (_purpose, _table) in _SPACES.items():
    sys.modules[f"nonholo.{_name}"] = globals()[_name] = _Space(_name, _purpose, _table)


_ONE_AT_A_TIME = RLock()
"""Threads that load modules which load each other can meet one that is half there."""


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        with _ONE_AT_A_TIME:
            return import_module(f"nonholo.{name}")
    if name in _WHERE:
        with _ONE_AT_A_TIME:
            value = getattr(import_module(_WHERE[name]), name)
        globals()[name] = value
        if name not in _FRONT and hasattr(sys, "ps1"):  # a person at a prompt; programs of before run as they did
            room = next(space for space, (_, table) in _SPACES.items() if name in _places(table))
            print(f"nonholo.{name} has moved: it is nonholo.{room}.{name} now (the old name still works).", file=sys.stderr)
        return value
    raise AttributeError(f"nonholo has no name {name!r}{_meant(name, [*_WHERE, *__all__])}")


def _meant(name: str, known: list[str]) -> str:
    from nonholo.errors import meant

    near = "" if name.startswith("_") else meant(name, known)
    return f"; {near}" if near else ""


def __dir__() -> list[str]:
    return sorted([*__all__, "open"])
