"""The notation of chapters 1 to 8 beside ours."""

ROWS = (
    ("`(Q, L, M, D, β)`", "`System`", "Q̇ ∈ D + β: affine constraints; M the magnetic form"),
    ("`(·)'` and a dot", "d/dt", "in (4.1) and on a prime; `q̇^i` is also the 1-form dq^i (§3.2)"),
    ("`M_ij q̇^j`", "`magnetic=`", "force M_ij q̇^j on q^i, same sign; as a 1-form −M(q̇, ·)"),
    ("`b` of (2.5), `b^j` of (3.2)", "constraint residuals", "opposite signs: Bq̇ + b = 0 in §2.4, Bq̇ = b from §3.2 on"),
    ("`∧`, `⌟`", "–", "(dx∧dy)(∂x, ∂y) = ½ and i_X ω = 2ω(X, ·), as in Kobayashi and Nomizu: so ½π*M in §3.3"),
    (
        "`μ^i`, `α_i`, `C_ij^k`",
        "`v`, `Frame.anchor`, `structure_functions`",
        "[α_i, α_j] = C_ij^k α_k, same sign and order",
    ),
    ("`p^α = ⟨FL, α⟩`", "momentum along a field", "upper α names the field"),
    (
        "`W`, `ω`, `ν`",
        "`R`, body and spatial rates",
        "Ẇ = WA(ω) = A(ν)W; A(y)z = y × z; W is also a region of Q (§4.2)",
    ),
    ("`K(τ, ρ)`, `K(τ)`", "kinetic metric, kinetic energy", "K(τ) = ½K(τ, τ)"),
    (
        "`V`, `S`, `H`, `N`, `R`",
        "orbit, `b^S`, horizontal, rest of the orbit, –",
        "S = V∩D, H = D∩S^⊥, N = V∩S^⊥, R = (D+V)^⊥",
    ),
    (
        "`κ_i`, `γ_i`, `χ_i`, `ς_i`",
        "frames of H, S, N, R",
        "group invariant; `v^j`, `Ω^j`, `ϖ^j` are the rates along them",
    ),
    ("`Ω` (§7.4 on)", "the S part of q̇ as a field on Q", "not the rates ξ + 𝒜ṙ of BMZ"),
    ("`σ = σ^iγ_i`", "`momentum_frame`, η of BMZ", "K(q̇, σ) is conserved"),
    ("`J_i` (§7.4), `J` (§2.5)", "values of conserved momenta; inertia", ""),
)
