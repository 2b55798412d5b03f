# SPDX-License-Identifier: BSD-3-Clause
"""Figures of Li et al., Incremental Potential Contact, 2020."""
