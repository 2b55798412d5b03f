# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the experiments on the claims of the lecture on cloth, plasticity and fracture."""
