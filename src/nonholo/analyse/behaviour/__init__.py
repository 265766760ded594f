"""How a system behaves: equilibria, steady motions, their stability and their branches."""
