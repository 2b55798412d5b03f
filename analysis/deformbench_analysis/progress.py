# SPDX-License-Identifier: BSD-3-Clause
"""Progress of long jobs on standard error: one line in place on a terminal, elsewhere a line every ten seconds at
most."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

INTERVAL_SECONDS = 10.0
_CLEAR = "\r\033[K"

Item = TypeVar("Item")


def in_progress(
    what: str,
    items: Sequence[Item],
    order: Iterable[Item] | None = None,
    cost: Callable[[Item], float] = lambda _: 1.0,
) -> Iterator[Item]:
    """The items, or those of `order`, which are as many. Says as they are worked off: "claims judged: 3 of 12, 8 s
    left"; what is left is reckoned by positive costs."""
    in_place = sys.stderr.isatty()
    start = shown = time.monotonic()
    left, behind = sum(map(cost, items)), 0.0
    try:
        for done, item in enumerate(items if order is None else order, start=1):
            yield item
            left, behind = left - cost(item), behind + cost(item)
            now = time.monotonic()
            if not in_place and now - shown < INTERVAL_SECONDS:
                continue
            shown = now
            text = f"{what}: {done} of {len(items)}"
            if done < len(items) and now - start > 1:
                text += f", {_duration((now - start) / behind * left)} left"
            end = "" if in_place else "\n"
            print(*([_CLEAR, text] if in_place else [text]), sep="", end=end, file=sys.stderr, flush=True)
    finally:
        if in_place:
            print(_CLEAR, end="", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02d} s"
