# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of all tests of the analysis."""

from made_up_traces import ms_per_step, own_files_are_harmless

__all__ = ["ms_per_step", "own_files_are_harmless"]
