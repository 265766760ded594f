"""Strings with bending and stretching and the planar Cosserat rod in SE(2), as fields. [Zenkov 2016 §3.4, Remark 3.2]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonholo.errors import ModelError
from nonholo.fields.density.field import Field

BODY = ("u w om", {"xdot": "u*cos(th) - w*sin(th)", "ydot": "u*sin(th) + w*cos(th)", "thdot": "om"})
"""ġ = g ξ on SE(2): velocities along and across the section, and its turning."""
TANGENT = ("u w", {"xdot": "x_s*u - y_s*w", "ydot": "y_s*u + x_s*w"})
"""ż = z_s ξ (3.14)."""


def elastic_string(
    density: Any = 1,
    stretching: Any = None,
    bending: Any = 0,
    gravity: Any = 0,
    forces: Mapping[str, Any] | None = None,
    ends: Any = None,
    tangential: bool = False,
    **other: Any,
) -> Field:
    """A string in the plane: mass ``density`` per length, axial stiffness, bending stiffness, gravity down the y-axis, forces.

        ℓ = ½ρ|ż|² − ½EA(|z_s| − 1)² − ½EI κ² − ρ g y,        κ = (x_s y_ss − y_s x_ss)/|z_s|³

    Without ``stretching`` it is inextensible, ``|z_s| = 1``, and its tension is ``-2*multiplier1``. All may be texts in ``s`` and
    parameters. ``tangential`` takes the velocity components ``ż = z_s ξ`` of (3.14).

    >>> print(elastic_string().equations)
    Hamel's equations
    <BLANKLINE>
      d/dt x = xdot
      d/dt y = ydot
      d/dt (xdot) = 0 + reaction[xdot]
      d/dt (ydot) = 0 + reaction[ydot]
      0 = x_s**2 + y_s**2 - 1
    """
    size = "sqrt(x_s**2 + y_s**2)"
    terms = [f"({density})*(xdot**2 + ydot**2)/2"]
    if stretching is not None:
        terms.append(f"-({stretching})*({size} - 1)**2/2")
    if bending not in (0, "0"):
        bend = "(x_s*y_ss - y_s*x_ss)**2" if stretching is None else f"(x_s*y_ss - y_s*x_ss)**2/{size}**6"
        terms.append(f"-({bending})*{bend}/2")
    if gravity not in (0, "0"):
        terms.append(f"-({density})*({gravity})*y")
    words = {"name": "elastic string", **other}
    return Field(
        "x y", " + ".join(terms), velocity=TANGENT if tangential else None, forces=forces, ends=ends,
        holonomic="x_s**2 + y_s**2 - 1" if stretching is None else (), **words,
    )  # fmt: skip


def rod(
    density: Any = 1,
    inertia: Any = 0.01,
    bending: Any = 1,
    stretching: Any = None,
    shearing: Any = None,
    curvature: Any = 0,
    gravity: Any = 0,
    slips: bool = True,
    forces: Mapping[str, Any] | None = None,
    ends: Any = None,
    **other: Any,
) -> Field:
    """The planar Cosserat rod, a curve ``s ↦ g(s) = (θ, x, y)`` in SE(2), with body velocities ``ξ = g⁻¹ġ = (u, w, om)``.

        ℓ = ½ρ(u² + w²) + ½I om² − ½EI(θ_s − κ)² − ½EA(e₁ − 1)² − ½GA e₂² − ρ g y,       (e₁, e₂) = R(θ)ᵀ z_s

    Without ``stretching`` (``shearing``) the strain is held: ``e₁ = 1`` (``e₂ = 0``). ``curvature`` κ is what the rod
    would have by
    itself; an input there is muscles. With ``slips=False`` it cannot move across itself, ``w = 0``: a snake, which must shear.

    >>> print(rod(stretching=5, shearing=5).equations.bracket)
    (-om*eta_w + w*eta_om, om*eta_u - u*eta_om, 0)
    """
    along, across = "(x_s*cos(th) + y_s*sin(th))", "(y_s*cos(th) - x_s*sin(th))"
    terms = [f"({density})*(u**2 + w**2)/2 + ({inertia})*om**2/2 - ({bending})*(th_s - ({curvature}))**2/2"]
    held = []
    for stiffness, strain in ((stretching, f"{along} - 1"), (shearing, across)):
        if stiffness is None:
            held.append(strain)
        else:
            terms.append(f"-({stiffness})*({strain})**2/2")
    if gravity not in (0, "0"):
        terms.append(f"-({density})*({gravity})*y")
    if "constraint" in other and not slips:
        raise ModelError(
            'rod: slips=False is the constraint w = 0; give further ones with slips=True and "w" among them.'
        )
    if not slips and shearing is None:
        raise ModelError(
            "snake: a rod that neither shears nor slips follows its front end, which no equation moves (Example 4.1); "
            "give shearing=…"
        )
    words = {"name": "rod" if slips else "snake", "constraint": () if slips else ("w",), **other}
    return Field("x y th", " + ".join(terms), velocity=BODY, holonomic=tuple(held), forces=forces, ends=ends, **words)
