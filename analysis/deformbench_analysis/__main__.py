# SPDX-License-Identifier: BSD-3-Clause
"""`/usr/bin/python3 -m deformbench_analysis VERB …` with analysis/ on PYTHONPATH."""

import sys

from .cli import main

sys.exit(main())
