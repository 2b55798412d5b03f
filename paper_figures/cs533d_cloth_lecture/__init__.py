# SPDX-License-Identifier: BSD-3-Clause
"""Figures of the assignment of CS 5967/6967: what its text asserts, measured on scenes of our own."""
