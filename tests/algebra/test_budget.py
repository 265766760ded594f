"""Work that takes too long ends, wherever it is."""

from __future__ import annotations

import gc
import threading

from nonholo.algebra.budget import _Overdue, within


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


def test_work_stopped_once_more_while_it_ends_is_not_told(monkeypatch):
    """The second stop can reach a thread that has left its work; other errors of threads are told as before."""
    told = []
    monkeypatch.setattr(threading, "excepthook", lambda problem: told.append(problem.exc_type))
    assert within(1.0, lambda: 1) == 1

    def end(error):
        raise error

    for error in (_Overdue(), KeyError("x")):
        thread = threading.Thread(target=end, args=(error,))
        thread.start()
        thread.join()
    assert told == [KeyError]
