"""The inextensible string in the plane: free, held, hanging, cracking."""

from __future__ import annotations

from nonholo.fields.strings.inextensible_string import String
from nonholo.gallery.fields._exhibit import FieldExhibit

TITLE = "Inextensible string in the plane"
GROUP = "Strings and fluids"
PAPERS = "Zenkov 2016, Example 3.2"
WHIP = {
    "theta": "pi/2*(1 + tanh(10*(s - 0.35)))",
    "omega": "-5*pi/2*(1 - tanh(10*(s - 0.35))**2)",
}
"""A loop that runs from the held end to the free one with half the speed of the free arm."""


def exhibit() -> FieldExhibit:
    """A free string that swings, turns and drifts."""
    return FieldExhibit(
        name="string",
        title=TITLE,
        group=GROUP,
        field=String(nodes=48),
        start={"theta": "0.8*cos(pi*s)", "omega": "1 + 0.7*sin(2*s)", "center": (0.0, 0.0), "velocity": (0.3, -0.2)},
        until=2.0,
        equations=(
            r"z_s = e^{i\theta}, \qquad \theta_t = \Omega",
            r"\lambda_{ss} - \theta_s^2\, \lambda = -\rho\, \Omega^2, \qquad \lambda = 0 \text{ at free ends}",
            r"\rho\, \Omega_t = 2\, \theta_s \lambda_s + \theta_{ss} \lambda",
        ),
        references=("Zenkov 2016, Example 3.2, (3.13)–(3.18)",),
        plots=(("x", "y"), ("tension",), ("energy",), ("t", "momentum_x", "momentum_y"), ("angular_momentum",)),
        starts={"whip": WHIP, "rotation": {"theta": "0", "omega": "1"}},
        story=(
            "A thread without stiffness that cannot be stretched. Its tension follows from the shape and the turning at each "
            "instant, and no end needs a condition: where the pull vanishes, waves stand still."
        ),
    )
