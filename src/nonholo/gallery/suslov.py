"""Suslov's problem: a rigid body that must not turn about an axis fixed in it."""

from __future__ import annotations

from nonholo.gallery._rigid import UNITS, formulations
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, matrix_of

TITLE = "Suslov problem on SO(3)"
GROUP = "Tops and pendulums"
PAPERS = "BMZ 2009 §5, §6.1; Notices 2005 (13)–(18)"

RATES = ("w1", "w2", "w3")


def exhibit() -> Exhibit:
    """The free rigid body with the constraint ``a·w = 0``, the vector ``a`` free; inertia diag(I1, I2, I3)."""
    forms = formulations("Suslov problem", "I1 I2 I3 a1 a2 a3", ["a1*w1 + a2*w2 + a3*w3"])
    system = forms.pop("rotation matrix")
    return Exhibit(
        name="suslov",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"I1": 0.9, "I2": 1.6, "I3": 2.2, "a1": 0.3, "a2": -0.5, "a3": 0.8},
        start={"w1": 1.0, "w2": -0.4},
        until=12.0,
        references=("Suslov 1902", "BMZ 2009, (5.1), (5.4)–(5.7), §6.1", "Notices 2005, (13)–(18), Theorems 7 and 8"),
        units={**UNITS, "a1": "1", "a2": "1", "a3": "1"},
        variants=forms,
        drawing=Drawing(
            bodies=(
                Body("ellipsoid", ("0", "0", "0"), matrix_of("R"), _semi_axes(), label="body"),
                Body("arrow", ("0", "0", "0"), size=_spatial("a1", "a2", "a3"), colour="black", label="forbidden axis"),
                Body("arrow", ("0", "0", "0"), size=_spatial(*RATES), colour="firebrick", label="angular velocity"),
            ),
            traces=(Trace(_point(*RATES), "angular velocity in space"),),
            ground="none",
            plots=(("t", "w1"), ("t", "w2"), ("t", "w3"), ("w1", "w2")),
        ),
        story=(
            "A free body that is kept from turning about one of its own axes. Its energy is constant, and still every "
            "motion comes from one steady turning and ends in the opposite one, unless the axis is a principal axis."
        ),
    )


def _semi_axes() -> dict[str, str]:
    return {"a": "sqrt(I2 + I3 - I1)/2", "b": "sqrt(I1 + I3 - I2)/2", "c": "sqrt(I1 + I2 - I3)/2"}


def _point(*body: str) -> tuple[str, str, str]:
    """A body vector's components in space."""
    one, two, three = (" + ".join(f"R{i}{j + 1}*{b}" for j, b in enumerate(body)) for i in (1, 2, 3))
    return (one, two, three)


def _spatial(*body: str) -> dict[str, str]:
    return dict(zip("xyz", _point(*body)))
