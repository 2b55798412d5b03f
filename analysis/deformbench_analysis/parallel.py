# SPDX-License-Identifier: BSD-3-Clause
"""The same function on many things, one process per core."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

from .progress import in_progress

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

_function: Callable[..., object] | None = None


def _adopt(function: Callable[..., object]) -> None:
    global _function
    _function = function
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends without a word, as who asked for it says one


def _call(item: object) -> object:
    assert _function is not None
    return _function(item)


def map_in_processes(
    function: Callable[[Item], Outcome],
    items: Sequence[Item],
    what: str = "done",
    cost: Callable[[Item], float] = lambda _: 1.0,
    processes_per_core: int = 1,
) -> list[Outcome]:
    """[function(i) for i in items], in that order; an exception of the function is raised here. `what`
    names the progress that is shown, as "figures drawn". Those of the largest `cost` begin first: a long one that
    begins last leaves the other cores idle. More than one process per core is for functions that wait for programs.

    Workers are forks: they see what this process has loaded, and what they change stays theirs. Items and outcomes
    are pickled; the function is not, so that it may be a closure over large data."""
    processes = min(len(items), processes_per_core * (os.cpu_count() or 1))
    if processes < 2:
        return [function(item) for item in in_progress(what, items, cost=cost)]
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(processes, mp_context=fork, initializer=_adopt, initargs=(function,)) as pool:
        try:
            costs = [cost(item) for item in items]
            by_cost = sorted(range(len(items)), key=lambda k: -costs[k])
            begun = {k: pool.submit(_call, items[k]) for k in by_cost}
            futures = [begun[k] for k in range(len(items))]
            cost_of = dict(zip(futures, costs))
            for future in in_progress(what, futures, as_completed(futures), cost_of.__getitem__):
                future.result()
            return [future.result() for future in futures]  # type: ignore[misc]
        except KeyboardInterrupt:  # what they have in work may take minutes
            for worker in multiprocessing.active_children():
                worker.kill()
            raise
        except Exception:  # what has not begun need not begin; nobody waits for it
            pool.shutdown(cancel_futures=True)
            thrown = (future.exception() for future in futures if not future.cancelled())
            raise next(error for error in thrown if error is not None) from None
