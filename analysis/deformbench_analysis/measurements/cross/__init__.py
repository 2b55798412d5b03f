# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the experiments that span papers."""
