"""Zenkov 2016, claim by claim."""

from nonholo_papers.paper import Paper

PAPER = Paper(
    key="zenkov",
    title="D. V. Zenkov, On Hamel's equations (2016)",
    short="Zenkov 2016",
    text="001_071c27b281466535.txt",
    reference=(
        "article",
        (
            ("author", "Zenkov, Dmitry V."),
            ("title", "On {Hamel's} equations"),
            ("journal", "Theoretical and Applied Mechanics"),
            ("volume", "43"),
            ("number", "2"),
            ("pages", "191--220"),
            ("year", "2016"),
        ),
    ),
    notation=(
        ("u_i(q), Ψ_q", "columns of the anchor ψ(x)", "q̇ = ξ^i u_i = Ψ_q ξ; Ψ without an index is the field q ↦ Ψ_q ξ"),
        ("ξ", "v, the quasi-velocities", "in §2.5 they are (ω, v¹, v²), in Example 4.2 the string's is η"),
        (
            "η",
            "w, the virtual displacement in the frame",
            "δq = Ψ_q η; in §5.5 η_e is the speed of a relative equilibrium",
        ),
        ("c_ij^a", "c[i][j][a]", "[u_i, u_j] = c_ij^a u_a, with [X, Y]^k = X^l ∂_l Y^k − Y^l ∂_l X^k; the same sign"),
        (
            "[ξ, α]*_q",
            "c_ij^a v^i p_a",
            "⟨[ξ, α]*, η⟩ = ⟨α, [ξ, η]⟩: vector first, covector second; the proof of Theorem 5.1 swaps them",
        ),
        (
            "± in (2.1)",
            "–",
            "+ for left (body) velocities, − for right (spatial) ones; with right ones ad = −[·,·] of vector fields",
        ),
        (
            "u_j[l]",
            "Σ_k ψ_kj ∂l/∂x_k at fixed v",
            "the paper calls the lift vertical; it is the horizontal one of the frame",
        ),
        ("D, U", "first m fields, the others", "ξ^U = 0 are the constraints; δq in D means η^U = 0, not δξ^U = 0"),
        ("μ", "p, momenta ∂l/∂v", "discrete: μ_{k,k+1} = D₂l^d = h ∂l/∂ξ holds the step"),
        (
            "ξ_{k,k+1}, q_{k+τ}",
            "velocity and place of a step",
            'velocities belong to intervals, η_k to nodes; `method="hamel", tau=…`',
        ),
        ("τ", "the step's place; also the size of a variation in §§2, 3", "not the momentum connection τ of BMZ"),
        (
            "λ of the string",
            "tension, positive when it pulls",
            "z̈ = (λ z_s)_s; ϰ is the signed curvature, z_ss = iϰ z_s",
        ),
        (
            "γ, a",
            "the vertical seen from the body, the vector to the bob",
            "U = mg⟨γ, a⟩: γ points up; μ̇ = μ × ξ + mg γ × a",
        ),
    ),
)
