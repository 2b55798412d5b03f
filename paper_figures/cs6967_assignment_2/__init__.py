# SPDX-License-Identifier: BSD-3-Clause
"""Figures of the deformable-body assignment of CS 5967/6967."""
