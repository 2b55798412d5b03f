// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/rebasing.hpp"

namespace deformbench::meshless {
namespace {

/// C⁻¹ σ
Matrix3 strain_of(const Matrix3& stress, const model::Material& material) {
  const double lambda = material.lame_lambda(), mu = material.lame_mu();
  return (stress - lambda / (2 * mu + 3 * lambda) * stress.trace() * Matrix3::Identity()) / (2 * mu);
}

}  // namespace

// [PKAGDG05] §5
RebasedCloud rebased(const NodeCloud& cloud, const Points& positions, std::span<const Matrix3> gradients,
                     std::span<const Matrix3> plastic, double strain_factor) {
  RebasedCloud result;
  result.cloud.rest = positions;
  result.cloud.supports = cloud.supports;
  result.cloud.masses = cloud.masses;
  result.cloud.volumes = cloud.volumes;
  result.cloud.materials = cloud.materials;
  connect(result.cloud);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const Matrix3& f = gradients[i];
    const model::Material& material = cloud.materials[i];
    const double determinant = f.determinant();
    const bool is_solid = cloud.ranks[i] == 3 && determinant > 0.0;
    const double ratio = is_solid ? determinant : 1.0;
    const Matrix3 elastic = strain_factor * (f.transpose() * f - cloud.projections[i]) - plastic[i];
    const Matrix3 stress =
        2 * material.lame_mu() * elastic + material.lame_lambda() * elastic.trace() * Matrix3::Identity();
    result.plastic.push_back(-strain_of(f * stress * f.transpose() / ratio, material));
    result.cloud.volumes[i] *= ratio;
  }
  return result;
}

}  // namespace deformbench::meshless
