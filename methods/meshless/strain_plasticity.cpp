// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/strain_plasticity.hpp"

namespace deformbench::meshless {

// [OBH02] §3
Matrix3 flowed(const Matrix3& strain, const Matrix3& plastic, const PlasticityOptions& options) {
  const Matrix3 elastic = strain - plastic;
  const Matrix3 deviator = elastic - elastic.trace() / 3.0 * Matrix3::Identity();
  const double norm = deviator.norm();
  if (!(norm > options.yield)) return plastic;
  const Matrix3 flow = plastic + (norm - options.yield) / norm * deviator;
  const double size = flow.norm();
  return size > options.cap ? Matrix3(options.cap / size * flow) : flow;
}

}  // namespace deformbench::meshless
