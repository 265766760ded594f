"""Work that takes too long ends, wherever it is."""

from __future__ import annotations

import gc

from nonholo.algebra.budget import within


def test_what_is_stopped_inside_a_callback_is_stopped_again_without_a_word():
    """An exception raised in a callback of the garbage collector is swallowed there; the work must end all the same."""
    ended = []

    def slow(phase, info):
        for _ in range(20_000):
            pass

    def work():
        try:
            while True:
                gc.collect(0)
                for _ in range(20_000):
                    pass
        finally:
            ended.append(True)

    gc.callbacks.append(slow)
    try:
        assert within(0.1, work) is None
    finally:
        gc.callbacks.remove(slow)
    assert ended == [True]
