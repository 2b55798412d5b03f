# SPDX-License-Identifier: BSD-3-Clause
"""The report: `report.html` (all papers, at most 1.5 MB) and `<paper>.html` (at most 20 MB),
each one self-contained file.

No script, no outside resource: pictures and CSV are embedded, so that the page opens offline and prints.
"""
