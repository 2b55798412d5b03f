// SPDX-License-Identifier: BSD-3-Clause
// A shared library that has nothing to do with deformbench.
extern "C" int seven() {
  return 7;
}
