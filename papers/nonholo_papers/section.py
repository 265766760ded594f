"""A section of a paper, to which its claims are added one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import getdoc
from typing import Any

from nonholo_papers.claim import Claim, Evidence, Verdict

Check = Callable[[], Evidence]
Places = int | str | tuple[int | str, ...]
STATEMENTS = ("Theorem", "Proposition", "Lemma", "Corollary", "Definition", "Remark", "Example", "Figure", "Table")


@dataclass(frozen=True)
class Rest:
    """Displays and numbered statements that claim nothing that could be wrong, with the reason."""

    reason: str
    displays: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()


@dataclass
class Section:
    """Collects the claims of one section; ``@section.confirmed(label, displays)`` over a check adds one."""

    paper: str
    title: str
    claims: list[Claim] = field(default_factory=list)
    rests: list[Rest] = field(default_factory=list)

    def confirmed(self, label: str, places: Places = (), **more: Any) -> Callable[[Check], Check]:
        """The printed form holds, and its mutants do not."""
        return self._adder("confirmed", label, places, more)

    def misprint(self, label: str, places: Places = (), *, right: str, **more: Any) -> Callable[[Check], Check]:
        """The printed form fails and the right one holds."""
        return self._adder("misprint", label, places, {"right": right, **more})

    def conditional(self, label: str, places: Places = (), *, reason: str, **more: Any) -> Callable[[Check], Check]:
        """It holds under the condition in ``reason`` (`Evidence.right`) and fails without it (`Evidence.printed`)."""
        return self._adder("conditional", label, places, {"reason": reason, "kind": "condition", **more})

    def refuted(self, label: str, places: Places = (), *, reason: str, **more: Any) -> Callable[[Check], Check]:
        """There is a counterexample (`Evidence.printed`); the true statement, if any, is `Evidence.right`."""
        return self._adder("refuted", label, places, {"reason": reason, **more})

    def uncheckable(self, label: str, places: Places, reason: str, statement: str, **more: Any) -> None:
        """No machine can tell, and ``reason`` says why."""
        self._add("not checkable", label, places, None, statement, {"reason": reason, **more})

    def rest(self, reason: str, *places: int | str) -> None:
        """What needs no claim: definition, notation, citation, heading, …"""
        displays, statements = _sorted_places(places)
        self.rests.append(Rest(reason, displays, statements))

    def _adder(self, verdict: Verdict, label: str, places: Places, more: dict[str, Any]) -> Callable[[Check], Check]:
        def add(check: Check) -> Check:
            statement = more.pop("statement", "") or " ".join((getdoc(check) or "").split())
            self._add(verdict, label, places, check, statement, more)
            return check

        return add

    def _add(
        self, verdict: Verdict, label: str, places: Places, check: Check | None, statement: str, more: dict[str, Any]
    ) -> None:
        displays, statements = _sorted_places(places if isinstance(places, tuple) else (places,))
        if not statement:
            raise ValueError(
                f"{self.paper} {label}: a claim says in words what it claims (the docstring of its check)."
            )
        self.claims.append(
            Claim(self.paper, label, statement, verdict, check, displays, statements, section=self.title, **more)
        )


def _sorted_places(places: tuple[int | str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = [str(p) for p in places]
    statements = tuple(w for w in words if w.split()[0].rstrip("s") in STATEMENTS)
    return tuple(w for w in words if w not in statements), statements
