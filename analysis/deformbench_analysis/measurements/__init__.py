# SPDX-License-Identifier: BSD-3-Clause
"""One module an experiment; `measurement.load_all` imports them all."""
