"""Vector instructions for the loops: the same operation on the numbers of all lanes, which are contiguous.

Every operation is by lane and in the order of its counterpart for one motion, so that a lane has the bits it would have alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonholo.integrate.loops.compilation.loop_compiler import DOUBLE, WHOLE, cgutils, intrinsic, ir, types

LANES = 8
"""Motions at a time, on every processor: with narrower registers an operation takes two or four instructions."""
KIND: Any = ir.VectorType(DOUBLE, LANES) if ir else None


class _Words:
    """Loads, stores and constants of one place in machine code."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def _at(self, start: Any, place: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(start, [place]), ir.PointerType(KIND))

    def load(self, start: Any, place: Any = None) -> Any:
        return self.builder.load(self._at(start, ir.Constant(WHOLE, 0) if place is None else place), align=8)

    def store(self, value: Any, start: Any, place: Any = None) -> None:
        self.builder.store(value, self._at(start, ir.Constant(WHOLE, 0) if place is None else place), align=8)

    def constant(self, value: float) -> Any:
        return ir.Constant(KIND, [value] * LANES)

    def spread(self, value: Any) -> Any:
        result = ir.Constant(KIND, ir.Undefined)
        for lane in range(LANES):
            result = self.builder.insert_element(result, value, ir.Constant(ir.IntType(32), lane))
        return result

    def _of(self, name: str, value: Any) -> Any:
        kind = ir.FunctionType(KIND, [KIND])
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.{name}.v{LANES}f64")
        return self.builder.call(function, [value])

    def size(self, value: Any) -> Any:
        return self._of("fabs", value)

    def root(self, value: Any) -> Any:
        return self._of("sqrt", value)

    def fused(self, a: Any, b: Any, c: Any) -> Any:
        product = self.builder.fmul(a, b, flags=("contract",))
        return product if c is None else self.builder.fadd(product, c, flags=("contract",))

    def each(self, count: Any) -> Any:
        """Over the places of so many numbers."""
        lanes = ir.Constant(WHOLE, LANES)
        end = self.builder.mul(count, lanes)
        return cgutils.for_range_slice(self.builder, ir.Constant(WHOLE, 0), end, lanes, WHOLE)


def wide_combination(weights: tuple[float, ...], based: bool = True) -> Any:
    """A row of a Runge–Kutta table for all lanes, each with its own step.

    The scalar version is `nonholo.integrate.loops.compilation.loop_compiler.combination`.

    A function of ``(target, base, stages, width, n, steps)`` with one step for each lane; if not ``based``, base and step are
    left out.
    """
    terms = tuple((j, float(w)) for j, w in enumerate(weights) if w != 0.0)

    @intrinsic
    def combine(typingctx: Any, target: Any, base: Any, stages: Any, width: Any, n: Any, steps: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            to, start, rows, wide, count, sizes = args
            words = _Words(builder)
            step = words.load(sizes) if based else words.constant(1.0)
            length = builder.mul(wide, ir.Constant(WHOLE, LANES))
            firsts = {j: builder.mul(length, ir.Constant(WHOLE, j)) for j, _ in terms}
            j, weight = terms[-1]
            scaled = builder.fmul(step, words.constant(weight)) if based else words.constant(weight)
            with words.each(count) as (i, _):
                total = None
                for k, w in terms[:-1]:
                    total = words.fused(words.load(rows, builder.add(firsts[k], i)), words.constant(w), total)
                moved = words.load(start, i) if based else total
                if based and total is not None:
                    moved = words.fused(total, step, moved)
                words.store(words.fused(words.load(rows, builder.add(firsts[j], i)), scaled, moved), to, i)
            return context.get_dummy_value()

        return types.void(target, base, stages, types.int64, types.int64, steps), generate

    return combine


def _simple(make: Callable[[_Words, Any], Any], result: str = "void") -> Any:
    """A function of pointers (and numbers) as vector instructions."""

    @intrinsic
    def run(typingctx: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            found = make(_Words(builder), args)
            return context.get_dummy_value() if result == "void" else found

        given = [types.unliteral(x) for x in (a, b, c, d)]
        return getattr(types, result)(*given), generate

    return run


def _place(words: _Words, args: Any) -> None:
    to, start, steps, node = args
    product = words.builder.fmul(words.spread(node), words.load(steps))
    words.store(words.builder.fadd(words.load(start), product), to)


def _copy(words: _Words, args: Any) -> None:
    to, source, count, _ = args
    with words.each(count) as (i, _):
        words.store(words.load(source, i), to, i)


def _blend(words: _Words, args: Any) -> None:
    to, source, taken, count = args
    yes = words.builder.fcmp_ordered(">", words.load(taken), words.constant(0.0))
    with words.each(count) as (i, _):
        words.store(words.builder.select(yes, words.load(source, i), words.load(to, i)), to, i)


def _positive(words: _Words, args: Any) -> Any:
    each = words.builder.fcmp_ordered(">", words.load(args[0]), words.constant(0.0))
    mask = words.builder.bitcast(each, ir.IntType(LANES))
    return words.builder.icmp_unsigned("==", mask, ir.Constant(ir.IntType(LANES), 2**LANES - 1))


def _sizes(words: _Words, args: Any) -> None:
    to, source, count, _ = args
    total = cgutils.alloca_once(words.builder, KIND)
    words.builder.store(words.constant(0.0), total)
    with words.each(count) as (i, _):
        words.builder.store(words.builder.fadd(words.builder.load(total), words.size(words.load(source, i))), total)
    words.store(words.builder.load(total), to)


def _eighth(words: _Words, args: Any) -> None:
    to, source, over, _ = args
    root = words.root(words.root(words.root(words.load(source))))
    words.store(words.builder.fdiv(words.spread(over), root), to)


place = _simple(_place)
"""``target = start + node · step``; arguments ``(target, start, steps, node)``."""
copy = _simple(_copy)
"""``n`` numbers; arguments ``(target, source, n, 0)``."""
blend = _simple(_blend)
"""``n`` numbers of the lanes where ``taken`` is positive; arguments ``(target, source, taken, n)``."""
sizes = _simple(_sizes)
"""``Σ |x_i|`` over n numbers; arguments ``(target, source, n, 0)``."""
eighth_root = _simple(_eighth)
"""``a / x^(1/8)`` by square roots; arguments ``(target, source, a, 0)``."""
positive = _simple(_positive, "boolean")
"""Whether a number is positive in all lanes; arguments ``(number, 0, 0, 0)``."""


@intrinsic
def pair_error(
    typingctx: Any, target: Any, y: Any, new: Any, fifth: Any, third: Any, steps: Any, n: Any, rtol: Any, atol: Any
) -> Any:
    """``|h| e5² / sqrt(n (e5² + 0.01 e3²))`` of all lanes, 0 where nothing is wrong: see `nonholo.integrate.methods.dop853`."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        to, start, end, first, second, sizes, count, relative, absolute = args
        words = _Words(builder)
        sums = [cgutils.alloca_once(builder, KIND) for _ in range(2)]
        for total in sums:
            builder.store(words.constant(0.0), total)
        relative, absolute = words.spread(relative), words.spread(absolute)
        with words.each(count) as (i, _):
            before, after = words.size(words.load(start, i)), words.size(words.load(end, i))
            larger = builder.select(builder.fcmp_ordered(">", before, after), before, after)
            scale = builder.fdiv(words.constant(1.0), builder.fadd(absolute, builder.fmul(relative, larger)))
            for total, wrong in zip(sums, (first, second)):
                part = builder.fmul(words.load(wrong, i), scale)
                builder.store(builder.fadd(builder.load(total), builder.fmul(part, part)), total)
        five, three = (builder.load(total) for total in sums)
        below = builder.fadd(five, builder.fmul(words.constant(0.01), three))
        height = builder.fmul(words.size(words.load(sizes)), five)
        number = words.spread(builder.sitofp(count, DOUBLE))
        found = builder.fdiv(height, words.root(builder.fmul(number, below)))
        nothing = builder.fcmp_ordered("==", below, words.constant(0.0))
        words.store(builder.select(nothing, words.constant(0.0), found), to)
        return context.get_dummy_value()

    return types.void(target, y, new, fifth, third, steps, types.int64, types.float64, types.float64), generate
