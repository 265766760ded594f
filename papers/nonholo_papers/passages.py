"""Where an entry of the errata stands in its paper, and why it is of its kind: one sentence for each error and condition.

Each passage was read with its surroundings. An error is repeated or used later, or no other place of the paper has the right
form; where another place has it, the sentence says which.
"""

from __future__ import annotations

PASSAGES: dict[str, dict[str, str]] = {
    "benenti": {
        "(17)": (
            "Step 4 of §3 puts q̇ = ψ into the right side of (16) only. (24) has both terms of the acceleration; the same one"
            " is left out again in (43), (44) and (45)."
        ),
        "Theorem 1, (23)": (
            "It refers to the nine steps of §3, of which (17) is the fourth; the proof ends with (45) in §7. Step 1 has m "
            "parameters, as the theorem should."
        ),
        "§7, S": (
            "“By using Eqs. (24)”, at the beginning of §7; of the two terms of (24) without ż only one is kept, and (43) to "
            "(45) follow."
        ),
        "(43)": "Copied from S in the line before, with S₀ left out; (44) and (45) follow.",
        "(44)": "Follows from (43); (39), which it writes out, is right with the S of (40).",
        "(45), Theorem 7": "Follows from (44), and Theorem 1 is proved by it.",
        "§8.1, G_αβ, the mixed terms": (
            "Item 6 of §8.1. (19) and (33) define G_αβ rightly; the written sum is used in the next three displays."
        ),
        "§8.1, G₁₂": "Item 6 of §8.1, from the sum before it; (48), the kinetic energy, gives −ρm₂. Used up to (49).",
        "§8.1, the inverse": "Item 7 of §8.1, the inverse of the matrix before it, which is repeated in (49).",
        "§8.1, Z¹ and Z²": "Item 8 of §8.1, by the inverse before it; repeated in (49).",
        "(49)": "The result of §8.1; §8.2 and Remark 7 refer to it.",
        "Theorem 3, and the note after (30)": (
            "The note after (30) takes ψ for one of the ψ_α. So it is for constraints that are linear and homogeneous, the "
            "first examples of §8; §2 admits all others."
        ),
        "Case A, different speeds (figures 12 to 14, 16)": (
            "§8.3.2, a remark on numerical experiments: figure 12 shows one initial distance for equal masses, figures 13, 14"
            " and 16 three for different ones. For case C the text says that both behave alike."
        ),
        "Case B, different speeds (figure 18)": (
            "§8.3.2, “further experiments show”: which masses and distances were tried is not said."
        ),
        "§9, the device realises the system of 8.3": (
            "§9, called a tentative project; the text shows that the velocities are parallel, which is so, and does not speak"
            " of the reactions."
        ),
        "§9, note (2)": (
            "The last note of §9; f and g may depend on ẋ there, in the examples of §8 the direction does not depend on the "
            "speed."
        ),
    },
    "bmz": {
        "§2.1, each T_qQ is isomorphic to the Lie algebra V_q": (
            "§2.1, after the definition of [·,·]_q; nothing later needs Jacobi's identity at a point."
        ),
        "§2.5, C^c_ab are the structure constants": (
            "After (2.16), where e depends on r; with a constant basis, as in all examples of §6 but the disk, they are "
            "constant."
        ),
        "(3.3)": (
            "§3.2, given as the reason for Theorem 3.2. The principle itself, in §3.1, asks δq ∈ D, which is w^U = 0, and "
            "(3.4) is right."
        ),
        "(4.7)": (
            "§4.2. (4.10), the same equation in coordinates, has the term, and (4.6) too; Theorem 4.4 (ii), its proof and "
            "Corollary 4.5 repeat (4.7) without it."
        ),
        "ℬ of (4.11) and ℬ before (2.18)": (
            "Two definitions under one letter, before (2.18) and in (4.11); (4.2) and (4.6) use the first, (4.9) the second."
        ),
        "Theorem 4.4 (i), Corollary 4.5: τ exact": (
            "The theorem, its proof (“condition (i) ensures”) and the corollary; the examples of §6 have one shape variable, "
            "where every τ is flat."
        ),
        "Theorem 4.4 (ii) and its proof, Corollary 4.5": "Three times, as in (4.7); (4.10) has the whole term.",
        "§5, pairing a with itself: γ = 0": (
            "§5, the argument after (5.6); its conclusion is right for all semisimple algebras."
        ),
        "§5, for a matrix Lie algebra the Killing form is a multiple of the trace": (
            "§5, in passing; right for so(n), the example of the section."
        ),
        "Figure 6.2: equilibria of the upper half plane are asymptotically stable": (
            "§6.2, before the figure; the same paragraph mentions the zero eigenvalue, and the end of §4.2 calls such "
            "stability partial."
        ),
        "§6.2, spatial momentum is conserved iff θ = const": (
            "§6.2, “regardless of the value of a”; the display before gives the factor ωv, which vanishes with v too."
        ),
        "§6.2, Lagrangian in the conserving frame": (
            "§6.2; u₂, by which it can be computed, stands above. The term with ma is printed once, and l_c does not contain "
            "it."
        ),
        "§6.4, the integral manifolds form an m-dimensional vector space": (
            "§6.4, which assumes the conditions of Theorem 4.4; true where the connection is flat."
        ),
        "§6.5, momenta p1, p2 of the disk": (
            "§6.5, between the basis and the momentum equations. The equations are right for p₁ = Aφ̇ cos θ, p₂ = (mR² + "
            "B)(φ̇ sin θ + ψ̇), and are used in (6.17), (6.18)."
        ),
    },
    "macdonnell": {
        "§1, the Chaplygin sphere": (
            "The introduction does not say in which time. §13.5, to which it refers, uses the time t; in another time the "
            "statement is true."
        ),
        "§2.1, the force; (2.1) and the display after it": (
            "Three displays of §2.1, §2.2 have no charge; U, above them, has q_i. The later chapters assume that there is no "
            "magnetic field."
        ),
        "§2.2, the generalized magnetic field": "§2.2, from (2.1); no place has the charges.",
        "§2.3, Lagrange's equations on the moving solution manifold": (
            "§2.3, “by a calculation identical to the one used above”, which had q = q(q̄). The next paragraph sets the "
            "magnetic field to zero."
        ),
        "§2.4, (2.6) has the form of (2.5)": (
            "§2.4, “this has the same form”: (2.5) has B(q) and b(q), (2.6) derivatives of G(t, q)."
        ),
        "§3.4, the variation along a trajectory": (
            "§3.4, two displays; (3.1) and (4.6), M(α_i, α_j)μ^j, have the other order of the arguments."
        ),
        "(3.3), Proposition 3.4.1": (
            "The result of the displays before it; (3.1), to which the proposition says it is equivalent, has the other sign."
        ),
        "(4.4)": (
            "§4.4. (4.6), below it, and (8.5), (8.6) are right; the minus is repeated in (8.2) and in the proof of Lemma "
            "8.1.1."
        ),
        "§5.1, the calculation along the flow": "§5.1; the next line sets s = 0, and only that is used.",
        "§5.1, the constant for M = dN": "§5.1, a remark in words after Proposition 5.1.1; the thesis does not use it.",
        "Proposition 6.2.1": "§6.2; under the dimension assumption, which the examples satisfy, it is true.",
        "Proposition 6.3.1": "§6.3, which takes the dimension of S near q₀ for constant.",
        "§7.2, a non-zero σ needs flatness": (
            "§7.2, “we are led to the conditions”, before (7.2); sufficient they are always."
        ),
        "(8.2)": "§8.1, “in the form of 4.4”; (8.1), above it, and (8.5), (8.6) are right.",
        "Lemma 8.1.1": "§8.1; true for (8.1), which is used later, and for (8.2) with the sign of (8.5).",
        "Lemma 8.1.1, proof, the calculation": (
            "The sketch of the proof: its right side is (8.2), with the same sign, and its left side lacks ∂K/∂q, which (3.1)"
            " has."
        ),
        "Lemma 8.4.4": (
            "§8.4, with a proof that replaces TΛ[κ_i, κ_j] under K̄; §8.4 and §13.5 are built on it. The examples of chapters"
            " 9 to 11 have one shape variable, where it is true."
        ),
        "§8.4, the reduced equations": "§8.4, “in light of the preceding lemmas”, from Lemma 8.4.4.",
        "Proposition 8.4.1": "§8.4, from the reduced equations; true for one shape variable, as in chapters 9 to 11.",
        "Corollary 8.4.1": "§8.4, from Proposition 8.4.1; used for Chaplygin's sphere in §13.5.",
        "§9.1, the assumptions on h and d": (
            "§9.1; the examples, the disk and the body with a spherical base, satisfy the condition."
        ),
        "§9.7, case 4: S'(−1)": (
            "§9.7. S'(+1) in case 3 is right, and so is S; S'(−1) is printed once and enters as a square."
        ),
        "§13.5, the reduced system on S² is Hamiltonian": "§13.5, by Corollary 8.4.1, for the motion in the time t.",
        "§13.6, the flow of σ": "§13.6, twice, for x̄ and for its velocity; R is the rotation of §2.5. C_i, below, is right.",
    },
    "notices": {
        "footnote 1, all orbits are periodic (Vierkandt)": (
            "Footnote 1, which calls the reduced space “appropriate” and names the Euclidean group; the turn of the disk "
            "about its axis must be divided out too."
        ),
        "(17)": (
            "After (16), for compact or semisimple groups; true for compact ones by this argument, for semisimple ones by "
            "another."
        ),
        "Figure 4, the positive p2-axis attracts all solutions": (
            "The paragraph of figure 4, which draws the solutions that tend to it."
        ),
        "the rattleback, the stable spin direction is asymptotically stable": (
            "The last sentence on the rattleback, which speaks of “some parameter values” before."
        ),
        "control vector fields provide controllability precisely when their distribution is nonintegrable": (
            "The section on control, in passing; its example, the nonholonomic integrator, has corank one."
        ),
    },
    "zenkov": {
        "§3.2, the Jacobi identity": (
            "§3.2, with a proof that takes the bracket [Ψξ, Ψη] for a field with constant components; only the dual bracket "
            "is used later."
        ),
        "(4.3)": (
            "§4.2, given as the reason for Theorem 4.1. Definition 4.1 asks δq ∈ D, which is η^U = 0, and §5.4 has that; "
            "(4.4) is right."
        ),
        "Example 4.1, z = φ(s + ξt)": "Example 4.1, after “along with the inextensibility condition”.",
        "(4.10)": "Example 4.2; the summary, “the string follows”, has the other direction in mind.",
        "(6.6)": "§6.2; (5.11), of which it is a case, and (6.7), below it, have the factor ½.",
        "(6.7), Theorem 6.1": "Theorem 6.1, cited from another paper; true for (6.6) with the factor ½.",
        "§6.2, the mean of γ": "§6.2; the definition of γ_{k+1/2}, while (6.7) moves γ_{k+1/2} alone.",
    },
}
