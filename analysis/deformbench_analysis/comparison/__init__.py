# SPDX-License-Identifier: BSD-3-Clause
"""Methods compared pair by pair on the cells that both have: docs/comparing.md."""
