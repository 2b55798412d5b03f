# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the experiments of Müller & Gross 2004."""
