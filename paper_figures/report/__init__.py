# SPDX-License-Identifier: BSD-3-Clause
"""The report: `report.html` (all papers), `<paper>.html`, `<paper>/claims/<claim>.html` and `methods/<method>.html`,
of at most 1.5 MB each.

Nothing is fetched from elsewhere: style, script and small CSV are in the page, pictures and large CSV lie beside it;
the front page has its pictures within. The pages are whole without the script, open offline, and print."""
