"""Frames ``ẋ = ψ(x) v`` with brackets: the record, its checks, its constructions, its files."""
