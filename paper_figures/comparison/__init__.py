# SPDX-License-Identifier: BSD-3-Clause
"""The page of `deformbench compare A B …`: methods side by side on every experiment that they have in common."""
