# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the tests of papers; what makes up traces is in tests/analysis (`pythonpath` of pyproject.toml)."""

from made_up_traces import ms_per_step, own_files_are_harmless

__all__ = ["ms_per_step", "own_files_are_harmless"]
