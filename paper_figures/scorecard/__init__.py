# SPDX-License-Identifier: BSD-3-Clause
"""The page of one method: `deformbench scorecard`."""
