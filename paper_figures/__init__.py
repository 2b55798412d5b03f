# SPDX-License-Identifier: BSD-3-Clause
"""One script a figure or table, in a folder a paper, named by the paper's number; and the report."""
