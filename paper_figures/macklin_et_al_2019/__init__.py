# SPDX-License-Identifier: BSD-3-Clause
"""Figures of Macklin, Storey, Lu, Terdiman, Chentanez, Jeschke & Müller, Small Steps in Physics Simulation, 2019."""
