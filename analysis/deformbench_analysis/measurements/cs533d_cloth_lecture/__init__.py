# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the experiments on the claims of Pauly et al. 2005."""
