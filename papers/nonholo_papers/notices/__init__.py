"""Bloch, Marsden and Zenkov 2005, claim by claim."""

from nonholo_papers.paper import Paper

PAPER = Paper(
    key="notices",
    title="A. M. Bloch, J. E. Marsden, D. V. Zenkov, Nonholonomic dynamics, Notices of the AMS 52 (2005) 324–333",
    short="BMZ 2005 (Notices)",
    text="004_15e18bf377ce98dd.txt",
    reference=(
        "article",
        (
            ("author", "Bloch, Anthony M. and Marsden, Jerrold E. and Zenkov, Dmitry V."),
            ("title", "Nonholonomic dynamics"),
            ("journal", "Notices of the American Mathematical Society"),
            ("volume", "52"),
            ("pages", "324--333"),
            ("year", "2005"),
        ),
    ),
    notation=(
        ("`ṡ^a + A^a_α ṙ^α = 0`", "`connection(system).coefficients`", "same sign as ours and as BMZ's (4.1)"),
        (
            "`B^b_αβ`",
            "`connection(system).curvature`",
            "[X_α, X_β] of X_α = ∂_α − A^a_α ∂_a; the force is −(∂L/∂ṡ^b) B^b_αβ ṙ^β",
        ),
        ("`L_c`", "constrained Lagrangian", "a function of (r, s, ṙ)"),
        (
            "`p_1, p_2` (disk)",
            "∂L_c/∂φ̇, ∂L_c/∂ψ̇",
            "not the p1, p2 of BMZ §6.5: those are Aφ̇ cos θ and (mR² + B)(φ̇ sin θ + ψ̇)",
        ),
        ("`p̃_α`, `p̃_a`", "`almost_poisson(system).momenta`", "X_α·p and ω_a·p, (8)"),
        (
            "`H_M`, `J_M`",
            "`almost_poisson(system).hamiltonian`, `.matrix`",
            "{q, p̃_α} = X_α, {p̃_α, p̃_β} = −p·[X_α, X_β]",
        ),
        ("`p`, then `k`", "number of constraints", "p in (1), k from the Poisson section on"),
        (
            "`I`, `𝕀`, `m`, `a`",
            "`J`, inertia, `m`, `a`",
            "I is the moment about the centre of mass, J of BMZ §6.2; a is also the constraint covector",
        ),
        ("`μ` in (15)–(17)", "a number", "γ in BMZ (5.5); not a momentum"),
        ("`C^c_ab`, (12)", "`nh.LieAlgebra`", "body frame: ṗ_b = C^c_ab p_c Ω^a, for SO(3) p × Ω"),
    ),
)
