# SPDX-License-Identifier: BSD-3-Clause
"""Figures of Bridson's lecture on cloth, plasticity and fracture, CS 533D, University of British Columbia, 2005."""
