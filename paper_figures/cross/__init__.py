# SPDX-License-Identifier: BSD-3-Clause
"""Figures of experiments that belong to no single paper: beams, vibration, waves, damping."""
