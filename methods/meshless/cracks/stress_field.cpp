// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/stress_field.hpp"

#include "methods/numerics/symmetric_eigen.hpp"

namespace deformbench::meshless {

PrincipalStress largest_principal_stress(const Matrix3& stress) {
  const numerics::SymmetricEigen3 eigen = numerics::symmetric_eigen(stress);
  return {eigen.values[2], eigen.vectors.col(2)};
}

}  // namespace deformbench::meshless
