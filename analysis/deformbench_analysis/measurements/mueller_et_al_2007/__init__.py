# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the experiments of Müller et al. 2007."""
