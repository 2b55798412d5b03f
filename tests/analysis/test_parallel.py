# SPDX-License-Identifier: BSD-3-Clause
"""Work in several processes gives what one process gives."""

import os
import time

import pytest
from deformbench_analysis.errors import InputError
from deformbench_analysis.parallel import map_in_processes


def test_outcomes_come_in_the_order_of_the_items_from_a_closure() -> None:
    offset = {"by": 7}  # never pickled: a fork has it
    assert map_in_processes(lambda n: n * n + offset["by"], list(range(50))) == [n * n + 7 for n in range(50)]


def test_the_costly_ones_begin_first() -> None:
    began = map_in_processes(lambda _: time.monotonic_ns(), list(range(100)), cost=float)
    assert began[99] < began[0]


def test_what_a_worker_changes_stays_its_own() -> None:
    seen: list[int] = []
    here = os.getpid()
    processes = map_in_processes(lambda n: (seen.append(n), os.getpid())[1], list(range(8)))
    if (os.cpu_count() or 1) > 1:
        assert here not in processes and seen == []


def test_one_item_needs_no_process_and_none_no_call() -> None:
    assert map_in_processes(lambda _: os.getpid(), [1]) == [os.getpid()]
    assert map_in_processes(lambda _: 1 / 0, []) == []


def test_an_error_of_the_function_is_raised_here() -> None:
    def refuse(n: int) -> int:
        if n == 3:
            raise InputError("results: number 3 is not readable")
        return n

    with pytest.raises(InputError, match="number 3 is not readable"):
        map_in_processes(refuse, list(range(500)))  # most have not begun then, and need not
