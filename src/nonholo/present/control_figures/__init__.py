"""Figures of control: connections and height functions over shape space with gaits on them."""
