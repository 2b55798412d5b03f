# SPDX-License-Identifier: BSD-3-Clause
"""Figures of Müller, Heidelberger, Hennix & Ratcliff, Position Based Dynamics, 2007."""
