"""Phase portraits as numbers: a plane of two quantities, its equilibria, its motions."""
