# SPDX-License-Identifier: BSD-3-Clause
<<<<<<< HEAD
"""Figures of the deformable-body assignment of CS 5967/6967."""
=======
"""Figures of the assignment of CS 6967: what its text asserts, measured on scenes of our own."""
>>>>>>> e4355be675e2cd5f0317ce9bbec989edaa353581
