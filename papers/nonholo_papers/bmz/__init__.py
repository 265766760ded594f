"""Bloch, Marsden and Zenkov 2009, claim by claim."""

from nonholo_papers.paper import Paper

PAPER = Paper(
    key="bmz",
    title="A. M. Bloch, J. E. Marsden, D. V. Zenkov, Quasivelocities and symmetries in nonholonomic systems (2009)",
    short="BMZ 2009",
    text="000_6e9082467f4a709d.txt",
    reference=(
        "article",
        (
            ("author", "Bloch, Anthony M. and Marsden, Jerrold E. and Zenkov, Dmitry V."),
            ("title", "Quasivelocities and symmetries in non-holonomic systems"),
            ("journal", "Dynamical Systems"),
            ("volume", "24"),
            ("year", "2009"),
        ),
    ),
    notation=(
        (
            "`v`, `ξ`, `Ω`",
            "quasi-velocities",
            "`v` in any frame, `ξ = g⁻¹ġ` in the body frame, `Ω = ξ + 𝒜ṙ`; `Ω` in §6.2 is our `(omega, v, 0)`",
        ),
        (
            "`u_i`, `ψ_i^j`",
            "`Frame.anchor`, columns",
            "the paper's lower index of ψ counts fields: its ψ is our anchor transposed",
        ),
        ("`c_il^m`, `[u_i, u_l] = c_il^m u_m`", "`structure_functions(frame)[i, l, m]`", "same sign, same order"),
        (
            "`[v, α]*_q = ad*_v α`",
            "`c_ij^a p_a v^i`",
            "⟨ad*_v α, w⟩ = ⟨α, [v, w]⟩: no minus sign; for SO(3) it is α × v",
        ),
        ("`w`", "virtual displacement", "the components of δq in the frame; Zenkov calls them η"),
        ("`p` (§2.5)", "all momenta ∂l/∂Ω", "k components"),
        (
            "`p` (§4.2 on)",
            "`reduction.momentum_equation`",
            "∂l_c/∂Ω^S, m components only; with `I_US I_S⁻¹ p` beside it it is ∂l/∂Ω less Λṙ",
        ),
        ("`μ` (§3.3)", "momenta in any frame", "∂l/∂v"),
        ("`μ` (§5, §6.2)", "spatial momentum", "Ad*_{g⁻¹} p; `η` there is the spatial velocity ġg⁻¹"),
        ("`η` (§4.3, §6.4)", "`momentum_frame(reduction)`", "a section of b^S; not the η of §5"),
        ("`𝒜`, `ξ^U + 𝒜^U ṙ = 0`", "`connection.components`", "horizontal lift (ṙ, −𝒜ṙ); the sign of Notices (1)"),
        (
            "`ℬ_αβ`",
            "`connection.curvature`",
            "[u_α, u_β] with + C𝒜𝒜; −dA_s(hor, hor). §2.5: without γ terms, (4.11): with them",
        ),
        ("`i_ṙ ℬ`", "`ℬ_αβ ṙ^β`", "contraction in the second place"),
        (
            "`γ`, `ℰ`, `Λ`, `τ`, `𝒟`, `𝒦_αβγ`",
            "`connection.motion`, `.mixed`, `.leaning`, `coefficients`",
            "`γ` is also a curve (§2.3) and a number (§5)",
        ),
        ("`𝒦_αa`, `ℐ`, `G`", "blocks of the kinetic metric", "(4.5); not the `𝒦_αβγ` of (4.11)"),
        (
            "`ℐ_S`, `ℐ^S`",
            "block, block of the inverse",
            "`ℐ_S^ab` is the inverse of the block; `ℐ^ab` the block of the inverse",
        ),
        ("`k`", "", "dimension of the group; in §6.2 √(ma²/(J + ma²)); in §6.3 the spring"),
        ("`λ`", "`lambda1`, …", "force λ_s A^s on the right side of Lagrange's equations, as ours"),
    ),
)
