// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/model/types.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::pbd {

/// Entries uniform in −size … size.
inline Matrix3 random_matrix(numerics::RandomStream& random, double size) {
  Matrix3 m;
  for (int k = 0; k < 9; ++k) m.data()[k] = random.uniform(-size, size);
  return m;
}

}  // namespace deformbench::pbd
