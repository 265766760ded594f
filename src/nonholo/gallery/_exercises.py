"""Exercises of the exhibits' living pages: predict and then run, or move a slider until a goal is reached."""

from __future__ import annotations

from typing import Any

EXERCISES: dict[str, tuple[dict[str, Any], ...]] = {
    "chaplygin-sleigh": (
        {
            "question": "The sleigh starts backwards and turning, without friction. What does it do in the end?",
            "choices": ["It stops.", "It turns for ever.", "It goes straight, with the centre of mass in front."],
            "answer": 3,
            "because": "The speed along the blade grows with the square of the turning rate, and this growth takes the energy of the turning.",
        },
        {
            "question": "Choose the turning rate so that the sleigh ends up heading along the y axis (θ = π/2).",
            "goal": "theta - pi/2",
            "within": 0.02,
            "set": {"v": 0.2},
            "change": ["omega"],
            "because": "With v near zero at the start, the final heading grows with the turning rate; it is at most π away from a start at rest.",
        },
    ),
    "vertical-disk": (
        {
            "question": "Choose the turning rate so that the disk is back where it started after 8 s.",
            "goal": "sqrt(x**2 + y**2)",
            "within": 0.03,
            "set": {"turning": 0.5},
            "change": ["turning"],
            "because": "Both rates are constant: the path is a circle, closed after 2π/turning = 8 s.",
        },
    ),
    "knife-edge": (
        {
            "question": "A skate spins on a slope without friction. Where is it after many turns?",
            "choices": ["Far down the slope.", "Farther and farther to the side, never far down.", "Where it started."],
            "answer": 2,
            "because": "While it spins, its weight speeds it up during half a turn and slows it down during the other: it goes along a cycloid across the slope.",
        },
    ),
    "ball-on-turntable": (
        {
            "question": "A ball rolls on a turntable without slipping. What is its path in space?",
            "choices": ["A spiral to the edge.", "A circle.", "A straight line."],
            "answer": 2,
            "because": "Its velocity turns with 2/7 of the table's rate (a homogeneous ball), whatever the start.",
        },
        {
            "question": "Choose the table's turning rate so that the ball is back where it started after 15 s.",
            "goal": "sqrt((x - 1/2)**2 + (y - 1/10)**2)",
            "within": 0.02,
            "change": ["Omega"],
            "because": "The period of the circle is 7π/Ω; fifteen seconds are a whole number of them.",
        },
    ),
    "rattleback": (
        {
            "question": "The stone is spun the wrong way round. What happens?",
            "choices": ["It spins on.", "It comes to rest.", "It rattles, stops, and turns the other way."],
            "answer": 3,
            "because": "Its axes of inertia and of curvature differ: the spin feeds the pitching, and the pitching feeds the opposite spin.",
        },
    ),
    "whipple-bicycle": (
        {
            "question": "A bicycle without a rider is pushed sideways. At which speed does it come upright again by itself?",
            "choices": ["3 m/s", "5 m/s", "8 m/s"],
            "answer": 2,
            "set": {"v": 5.0, "until": 5.0},
            "because": "Below 4.29 m/s it weaves more and more, above 6.02 m/s it leans over slowly; between them it is stable.",
        },
    ),
    "tippe-top": (
        {
            "question": "The top is spun fast on its round side, and slips. What happens?",
            "choices": ["It stays upright.", "It turns upside down.", "It falls on its side and lies still."],
            "answer": 2,
            "because": "Sliding friction takes energy but keeps Jellett's integral, and with it the spin is cheapest upside down.",
        },
    ),
    "snakeboard": (
        {
            "question": "The rider swings the rotor and turns the wheels in time, and nothing drives the wheels. Where does the board go?",
            "choices": ["Nowhere: its momentum is zero.", "Forth and back on the spot.", "Forwards, faster with every swing."],
            "answer": 3,
            "because": "The momentum along the board is not conserved: the momentum equation feeds it with the product of both rates.",
        },
    ),
}
"""Name of an exhibit -> its exercises, in the words of `nonholo.model.files.exercises`."""
