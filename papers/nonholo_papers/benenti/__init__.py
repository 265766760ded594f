"""Benenti 2008, claim by claim."""

from nonholo_papers.paper import Paper

PAPER = Paper(
    key="benenti",
    title="S. Benenti, A general method for writing the dynamical equations of nonholonomic systems with ideal "
    "constraints (2008)",
    short="Benenti 2008",
    text="002_717ad06add043d64.txt",
    reference=(
        "article",
        (
            ("author", "Benenti, Sergio"),
            ("title", "A general method for writing the dynamical equations of nonholonomic systems with ideal constraints"),
            ("journal", "Regular and Chaotic Dynamics"),
            ("volume", "13"),
            ("number", "4"),
            ("year", "2008"),
        ),
    ),
    notation=(
        (
            "q^i, i = 1 … n",
            "coordinates",
            "r is the number of constraints, m = n − r that of parameters; Theorem 1 says r where m is meant",
        ),
        ("z_α", "the quasi-velocities of `parametric=`", "lower index on z, upper on Z^α = ż_α; sums over both"),
        ("ψ^i(q, z)", "V(x, z), admissible velocities", "q̇ = ψ; ψ^i_α = ∂ψ^i/∂z_α, ψ^i_j = ∂ψ^i/∂q^j"),
        ("C^a(q, q̇) = 0", "`constraints=`", "residuals, linear or not"),
        (
            "w_ν (printed v_ν in (27))",
            "W = ∂V/∂z",
            "virtual displacements: differences of accelerations, Chetaev's rule",
        ),
        ("G_αβ", "the mass matrix M", "also G, without indices, for Gauss's function (31)"),
        ("Γ_ijk", "–", "first kind, the last index is the lowered one: ½(∂_i g_jk + ∂_j g_ki − ∂_k g_ij)"),
        ("A_i, R_i", "forces, reactions", "active and reactive Lagrangian forces; `nonholo.reactions`"),
        ("K, V", "kinetic and potential energy", "L = K − V; W is a power in step 9 and a virtual power in (42)"),
        (
            "m",
            "the number of parameters; in §8.1 the mass m₁ + m₂",
            "μ = m/(m₂ρ) in §8.1 has the dimension of 1/length",
        ),
        ("τ", "the velocity along the segment in §8.4", "not the step's place τ of Zenkov nor the connection of BMZ"),
        ("ξ_ijk", "–", "Σ m ∂_ij r·∂_k r, equal to Γ_ijk; ξ is not a velocity here"),
    ),
)
