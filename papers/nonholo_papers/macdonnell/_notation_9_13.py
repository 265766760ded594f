"""The notation of chapters 9 to 13 beside ours."""

ROWS = (
    ("`ε_i`, `e_i` (§9 on)", "unit vectors of space", "the same; ε₃ is up"),
    ("`a`, `r`, `h`, `d` (§9)", "`Profile`", "functions of θ with h = r + a cos θ, d = a + r cos θ, and h' = −a sin θ"),
    ("`π₃`, `ϖ₃` (§9.5)", "`w3`", "ω₃ = Ω₁ + cos θ Ω₂"),
    ("`r` (§§10, 11)", "`rho`", "the ball's radius"),
    ("`φ` (§10)", "–", "the angle between ε₃ and β; a turn in §9 and §13"),
    ("`f`, `g`, `λ` (§12)", "–", "functions of the steering angle α = ξ − θ"),
)
