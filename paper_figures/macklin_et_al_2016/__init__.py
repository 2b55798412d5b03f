# SPDX-License-Identifier: BSD-3-Clause
"""Figures of Macklin, Müller & Chentanez, XPBD, 2016."""
