"""Control: controllability, flatness, steering, gaits, feedback, observers and environments.

A System with inputs is read as a control system ``ẋ = f(x) + Σ u_i g_i(x)``. Each folder answers one question about it:
`reachability` (can it be steered), `flat_systems` (flat outputs and chained forms), `feedback` (regulators, trim, sampled loops).
A name that users call is listed in ``_NAMES``, by module.
"""

from __future__ import annotations

from nonholo.lazy_names import lazy_names

_NAMES: dict[str, str] = {
    "reachability.controllability": "controllability Controllability",
    "reachability.control_affine": "control_affine kinematic_system ControlAffine",
    "flat_systems.flat_outputs": "flatness Flatness",
    "flat_systems.chained_form": "chained_form ChainedForm",
    "flat_systems.flat_tracking": "track FlatTracking",
    "feedback.attraction": "region_of_attraction Attraction",
    "feedback.riccati": "lqr Regulator",
    "steering.steer": "steer Steering",
    "gaits.gait": "gait Gait",
    "environments.environment": "environment",
    "observers.observer": "observer Observer Belief Estimate",
    "environments.episode_simulator": "Task Simulator record",
    "environments.jax_steps": "jax_step",
    "gaits.local_connection": "connection height",
    "gaits.gait_map": "gait_map GaitMap",
    "steering.steering_problem": "kinematic",
    "steering.geodesics": "geodesic Geodesic",
    "embedded_c": "to_c",
    "feedback.trim": "trim Trim",
    "nonholo.analyse.stability.sampled_loop": "sampled_loop SampledLoop",
    "nonholo.analyse.orbits.sampled_orbit": "sampled_orbit SampledOrbit",
}
"""Module (of this package, or with its full name) -> its public names."""

__all__, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
