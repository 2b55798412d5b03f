# SPDX-License-Identifier: BSD-3-Clause
"""One script per figure or table, in a folder per paper, named by the paper's number; and the report."""
