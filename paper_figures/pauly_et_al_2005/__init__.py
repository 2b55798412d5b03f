# SPDX-License-Identifier: BSD-3-Clause
"""Figures of Pauly, Keiser, Adams, Dutré, Gross & Guibas, Meshless Animation of Fracturing Solids, SIGGRAPH 2005."""
