# SPDX-License-Identifier: BSD-3-Clause
"""One folder a paper, one module an experiment or theme; `measurement.load_all` imports them all."""
