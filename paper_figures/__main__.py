# SPDX-License-Identifier: BSD-3-Clause
"""`/usr/bin/python3 -m paper_figures VERB …` with the tree's root and analysis/ on PYTHONPATH."""

import sys

from paper_figures.verbs import main

sys.exit(main())
