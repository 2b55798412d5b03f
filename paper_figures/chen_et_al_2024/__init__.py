# SPDX-License-Identifier: BSD-3-Clause
"""Figures of Chen, Liu, Yang & Yuksel, Vertex Block Descent, 2024."""
