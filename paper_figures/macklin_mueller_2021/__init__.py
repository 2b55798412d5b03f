# SPDX-License-Identifier: BSD-3-Clause
"""Figures of Macklin & Müller, A Constraint-based Formulation of Stable Neo-Hookean Materials, 2021."""
