# SPDX-License-Identifier: BSD-3-Clause
"""`/usr/bin/python3 -m deformbench_analysis VERB …` with analysis/ on PYTHONPATH."""

from .ending import end_with


def _verb() -> int:
    from .cli import main

    return main()


end_with(_verb)
