# SPDX-License-Identifier: BSD-3-Clause
"""Figures of six papers on Newton's method and its eigenvalue filters, 2018–2026."""
