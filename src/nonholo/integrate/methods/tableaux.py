"""Explicit Runge–Kutta methods: one entry each. What is registered here has its order tested, without being named there."""

from __future__ import annotations

from nonholo.integrate.methods.tableau import Tableau, explicit

RungeKutta4 = explicit(
    Tableau(
        "rk4",
        order=4,
        nodes=(0.0, 0.5, 0.5, 1.0),
        coupling=((0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)),
        weights=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
        about="The classical method of order 4 with equal steps. [Kutta 1901]",
    )
)

Heun3 = explicit(
    Tableau(
        "heun3",
        order=3,
        nodes=(0.0, 1 / 3, 2 / 3),
        coupling=((1 / 3,), (0.0, 2 / 3)),
        weights=(1 / 4, 0.0, 3 / 4),
        about="Order 3 with three stages and equal steps. [Heun 1900]",
    )
)

BogackiShampine3 = explicit(
    Tableau(
        "bs3",
        order=3,
        nodes=(0.0, 1 / 2, 3 / 4),
        coupling=((1 / 2,), (0.0, 3 / 4)),
        weights=(2 / 9, 1 / 3, 4 / 9),
        error=(2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8),
        about="Order 3(2) with error control, for low accuracy. [Bogacki and Shampine, Appl. Math. Lett. 2 (1989) 321]",
    )
)

DormandPrince5 = explicit(
    Tableau(
        "dopri5",
        order=5,
        nodes=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0),
        coupling=(
            (1 / 5,),
            (3 / 40, 9 / 40),
            (44 / 45, -56 / 15, 32 / 9),
            (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
            (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        ),
        weights=(35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
        error=(71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),
        about="Order 5(4) with error control. [Dormand and Prince, J. Comp. Appl. Math. 6 (1980) 19]",
    )
)
