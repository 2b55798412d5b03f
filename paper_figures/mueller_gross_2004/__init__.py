# SPDX-License-Identifier: BSD-3-Clause
"""Figures of Müller & Gross, Interactive Virtual Materials, Graphics Interface 2004."""
