# SPDX-License-Identifier: BSD-3-Clause
"""`/usr/bin/python3 -m paper_figures VERB …` with the tree's root and analysis/ on PYTHONPATH."""

from deformbench_analysis.ending import end_with


def _verb() -> int:
    from paper_figures.verbs import main

    return main()


end_with(_verb)
