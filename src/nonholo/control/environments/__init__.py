"""Environments for learning: a system, what is observed, done and rewarded -> Gymnasium's environments, exact rolling included.

``member_batch`` moves many members side by side, ``environment`` is the front, ``gymnasium_classes`` wear Gymnasium's words,
``tasks`` are ready ones, ``episode_records`` writes what happened into a Zarr store.
"""
