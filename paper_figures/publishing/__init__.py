# SPDX-License-Identifier: BSD-3-Clause
"""The site of `deformbench publish` (docs/results.md): a folder per report, each with its feed of verdicts, and the
page over all of them."""
