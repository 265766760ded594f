"""The process of one study: limits and pipe to the server."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

LARGEST = 24_000_000
"""Bytes of one message; a living page has three million."""
IDLE = 1800
"""Seconds that a process waits, its work done, for a report on the same text."""


def child(pipe: Any, job: str, given: Mapping[str, Any], first: int, seconds: int, memory: int) -> None:
    """Do a job; each stage may use so many ``seconds`` of processor time, all of them so many bytes of ``memory``.

    After a study or a report it waits for the name of another job on the same text.
    """
    _quiet()
    _bound_memory(memory)

    def begin(stage: str) -> None:
        _bound_time(seconds)
        tell({"stage": stage, "state": "begun"})

    def tell(told: dict[str, Any]) -> None:
        content = json.dumps(told).encode()
        if len(content) > LARGEST:
            content = json.dumps(
                {"stage": told["stage"], "state": "failed", "words": "the page is too large to show."}
            ).encode()
        pipe.send_bytes(content)

    from nonholo.lab.study_stages import Subject, work

    subject = Subject(given.get("text", ""), given["name"])
    with suppress(BrokenPipeError, ConnectionError, EOFError):  # the server no longer waits for it
        while job:
            work(job, given, first, begin, tell, subject)
            tell({"stage": "", "state": "end"})
            job = pipe.recv_bytes().decode() if job in ("study", "report") and pipe.poll(IDLE) else ""
    pipe.close()


def _quiet() -> None:
    """Ctrl-C is handled by the server, which ends this process; messages of libraries at exit are discarded."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 3000))


def _bound_time(seconds: int) -> None:
    """From now on so many seconds of processor time: then the kernel ends the process."""
    try:
        import resource
    except ImportError:  # where there are no such limits the server watches the clock alone
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    limit = int(used.ru_utime + used.ru_stime) + max(1, seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit if most < 0 else min(limit, most), most))


def _bound_memory(memory: int) -> None:
    """So many bytes more than there are now, and no image of a crash."""
    try:
        import resource
    except ImportError:
        return
    with suppress(OSError, ValueError, IndexError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with open("/proc/self/statm", encoding="ascii") as stream:
            now = int(stream.read().split()[0]) * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = now + memory
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most < 0 else min(wanted, most), most))
