# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the experiments of Macklin et al. 2019."""
