"""Systems with known answers: known systems pushed through changes that no answer may depend on.

    known.py, bodies.py, chance.py    systems and what is known of them
    changes.py, embeddings.py         coordinate changes, names, units, gauge terms, products, frames in motion, embeddings
    algebras.py                       random Lie algebras, with constraints or without
    dynamics.py                       an own multiplier form, in NumPy, that claims are tested with
    trial.py                          one case: a system by its recipe, questions in random order, what is wrong with the answers

``python -m tests.attack.fuzz --kind systems --seed 7 --count 100`` (``make fuzz``) tries as many as one likes.
"""
