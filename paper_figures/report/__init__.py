# SPDX-License-Identifier: BSD-3-Clause
"""The report: `report.html` (all papers, at most 1.5 MB), `<paper>.html` (at most 20 MB, of which 1.5 MB are not
pictures), and `<paper>/claims/<claim>.html`.

Nothing is fetched: style, script, pictures and CSV are in the page, but for the pictures of claims and large CSV,
which lie beside it. The pages are whole without the script, open offline, and print."""
