"""Environments for learning: a system, what is observed, done and rewarded -> Gymnasium's environments, exact rolling included.

``member_batch`` moves many members side by side, ``environment`` is the front, ``gymnasium_classes`` wear Gymnasium's words,
``episode_simulator`` runs episodes and writes what happened into a Zarr store.
"""
