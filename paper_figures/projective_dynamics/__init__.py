# SPDX-License-Identifier: BSD-3-Clause
"""Figures of projective dynamics, its quasi-Newton reading and its accelerations."""
