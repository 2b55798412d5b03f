# SPDX-License-Identifier: BSD-3-Clause
"""Reads deformbench traces, reduces them to named measurements, and judges the papers' claims from these.

Traces are only ever read: nothing here opens one for writing."""
