"""Run studies in separate processes, bounded in time, memory and number."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from nonholo.lab.study_process import LARGEST, child
from nonholo.lab.study_stages import STAGES

WARM = "NONHOLO_LAB_WARM"
"""Says to the process that others are forked from what it should do; see `nonholo.lab.preload`."""
_starting = threading.Lock()
PULSE = 0.2
"""Seconds between two looks at whether anybody still waits."""
SLOWER = 30
"""A stage may take so many times its processor time by the clock; more means that it hangs."""
TOO_LONG = "stopped after {seconds} s of processor time; `nonholo lab --limit {more}` gives it more."
DIED = "the computation ended without a word (out of memory, most likely); it was given {memory} MB."


KEPT = 2
"""Processes that wait for a report on the text they have studied."""
Text = tuple[str, str]
"""Name and content."""


@dataclass(frozen=True)
class Limits:
    """What one job may use: seconds of processor time for each stage, bytes beyond what is loaded, jobs at a time."""

    seconds: int = 60
    memory: int = 2_000_000_000
    jobs: int = 4


@dataclass(eq=False)
class Job:
    """A running process and the pipe of its messages."""

    process: BaseProcess
    pipe: Connection
    stopped: bool = False

    def stop(self) -> None:
        """End it now."""
        self.stopped = True
        with suppress(OSError, ValueError, AttributeError):
            self.process.kill()


@dataclass
class Bench:
    """All jobs at work, oldest first."""

    limits: Limits = field(default_factory=Limits)
    jobs: list[Job] = field(default_factory=list)
    studied: list[Text] = field(default_factory=list)
    """Texts whose studies are at work: a report on one of them waits for what they compute."""
    waiting: dict[Text, Job] = field(default_factory=dict)
    """Processes that are done with a text and know all that was computed for it, the latest `KEPT` of them."""

    def __post_init__(self) -> None:
        methods = multiprocessing.get_all_start_methods()
        self.context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            self.context.set_forkserver_preload(["nonholo.lab.preload"])

    def warm(self, wish: str = "compile") -> None:
        """Start the process that others are forked from, before the first study waits for it; not in the main thread."""
        if self.context.get_start_method() != "forkserver":
            return
        from multiprocessing import forkserver, resource_tracker

        with _starting:
            resource_tracker.ensure_running()  # first, since it unblocks the signals that are blocked next
            if hasattr(signal, "pthread_sigmask"):  # Ctrl-C is the server's alone
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            os.environ[WARM] = wish
            try:
                forkserver.ensure_running()
            finally:
                del os.environ[WARM]

    def stop(self) -> None:
        """End all jobs."""
        for job in [*self.jobs, *self.waiting.values()]:
            job.stop()
        self.waiting.clear()

    def close(self) -> None:
        """End all jobs and the process they are forked from, which may still be warming up."""
        self.stop()
        from multiprocessing import forkserver

        ours = getattr(getattr(forkserver, "_forkserver", None), "_forkserver_pid", None)
        if ours is not None:
            with suppress(OSError):
                os.kill(ours, signal.SIGTERM)

    async def run(
        self, name: str, given: Mapping[str, Any], gone: Callable[[], Awaitable[bool]]
    ) -> AsyncIterator[dict[str, Any]]:
        """Messages of a job as they arrive, until ``gone``. A stage that dies is reported, and the next ones run without it."""
        text = (given["name"], given.get("text", ""))
        if name == "study":
            self.studied.append(text)
        try:
            while name == "report" and text in self.studied and not await gone():
                await asyncio.sleep(PULSE)
            async with aclosing(self._run(name, given, text, gone)) as running:
                async for told in running:
                    yield told
        finally:
            if name == "study":
                self.studied.remove(text)

    async def _run(
        self, name: str, given: Mapping[str, Any], text: Text, gone: Callable[[], Awaitable[bool]]
    ) -> AsyncGenerator[dict[str, Any], None]:
        first = 0
        while True:
            at, ended = STAGES[first] if name == "study" else name, False
            job = (await self._resume(text) if name == "report" else None) or await self._start(name, given, first)
            try:
                async for told in self._told(job, gone):
                    ended = told["state"] == "end"
                    if not ended:
                        at = told["stage"]
                        yield told
                if ended and name in ("study", "report") and job in self.jobs and not job.stopped:
                    await self._keep(text, job)
                ended = ended or job.stopped
            finally:
                if job not in self.waiting.values():
                    await self._end(job)
            if ended:
                return
            yield {"stage": at, "state": "failed", "words": self._why(job)}
            if at not in STAGES or at == STAGES[0] or at == STAGES[-1]:
                return
            first = STAGES.index(at) + 1

    async def _keep(self, text: Text, job: Job) -> None:
        """Let a process wait that is done with a text; the longest-waiting one is ended."""
        before = self.waiting.pop(text, None)
        self.waiting[text] = job
        self.jobs.remove(job)
        if before is None and len(self.waiting) > KEPT:
            before = self.waiting.pop(next(iter(self.waiting)))
        if before is not None:
            await self._end(before)

    async def _resume(self, text: Text) -> Job | None:
        """The process that has studied a text, at work on its report."""
        job = self.waiting.pop(text, None)
        if job is None:
            return None
        self.jobs.append(job)
        with suppress(OSError):
            job.pipe.send_bytes(b"report")
            return job
        await self._end(job)  # it ended while it waited
        return None

    async def _start(self, name: str, given: Mapping[str, Any], first: int) -> Job:
        while len(self.jobs) >= self.limits.jobs:  # the oldest is ended, so that abandoned jobs block nothing
            self.jobs.pop(0).stop()
        receiving, sending = self.context.Pipe()
        words = (sending, name, dict(given), first, self.limits.seconds, self.limits.memory)
        process = self.context.Process(target=child, args=words, daemon=True)
        job = Job(process, receiving)
        self.jobs.append(job)
        await asyncio.to_thread(self._fork, process)
        sending.close()
        if job.stopped:
            job.stop()
        return job

    def _fork(self, process: Any) -> None:
        self.warm("load")  # when nobody did before
        process.start()

    async def _told(self, job: Job, gone: Callable[[], Awaitable[bool]]) -> AsyncIterator[dict[str, Any]]:
        last = time.monotonic()
        while not job.stopped:
            try:
                if await asyncio.to_thread(job.pipe.poll, PULSE):
                    told: dict[str, Any] = json.loads(await asyncio.to_thread(job.pipe.recv_bytes, LARGEST))
                    last = time.monotonic()
                    yield told
                    if told["state"] == "end":
                        return
            except (EOFError, OSError):
                return
            if await gone() or time.monotonic() - last > SLOWER * self.limits.seconds:
                job.stop()

    async def _end(self, job: Job) -> None:
        with suppress(ValueError):
            self.jobs.remove(job)
        with suppress(OSError, ValueError, AttributeError):
            job.process.kill()
        await asyncio.shield(asyncio.to_thread(job.process.join, 5))
        job.pipe.close()

    def _why(self, job: Job) -> str:
        if job.process.exitcode == -getattr(signal, "SIGXCPU", 0):
            return TOO_LONG.format(seconds=self.limits.seconds, more=4 * self.limits.seconds)
        return DIED.format(memory=self.limits.memory // 1_000_000)
