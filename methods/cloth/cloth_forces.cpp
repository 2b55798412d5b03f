// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_forces.hpp"

#include <cmath>
#include <limits>

#include "methods/numerics/largest_eigenvalue.hpp"

namespace deformbench::cloth {

ClothForces::ClothForces(const Scene& scene, const ClothOptions& options)
    : options_(options),
      springs_(springs_of(scene, options.stretch_stiffness)),
      membrane_(membrane_of(scene.cloth.rest_positions, scene.cloth.triangles, options.membrane_stiffness,
                            options.membrane_poisson_ratio)),
      solid_(solid_of(scene)),
      hinges_(hinges_of(scene.cloth.rest_positions, scene.cloth.triangles, options.bend_stiffness, options.hinge)) {}

template <class Visit>
void ClothForces::every(const Visit& visit) const {
  for (const Spring& element : springs_) visit(element, options_.stretch_damping);
  for (const MembraneTriangle& element : membrane_) visit(element, options_.stretch_damping);
  for (const SolidTetrahedron& element : solid_) visit(element, options_.stretch_damping);
  for (const Hinge& element : hinges_) visit(element, options_.bend_damping);
}

double ClothForces::energy(const Eigen::Ref<const Points>& x) const {
  double sum = 0.0;
  every([&](const auto& element, double) { sum += element.energy(corners_of(element.vertices, x)); });
  return sum;
}

void ClothForces::add_elastic(const Eigen::Ref<const Points>& x, Points& forces) const {
  every([&](const auto& element, double) {
    add_to_corners(element.vertices, element.force(corners_of(element.vertices, x)), forces);
  });
}

void ClothForces::add_damping(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Points>& v,
                              Points& forces) const {
  every([&](const auto& element, double coefficient) {
    if (coefficient == 0.0) return;
    const auto c = element.constraint(corners_of(element.vertices, x));
    add_to_corners(element.vertices, damping_force(c, corners_of(element.vertices, v), coefficient), forces);
  });
}

Sparse ClothForces::stiffness_matrix(const Eigen::Ref<const Points>& x, StiffnessKind kind) const {
  std::vector<Eigen::Triplet<double>> entries;
  every([&](const auto& element, double) {
    add_to_entries(element.vertices,
                   element.stiffness_matrix(corners_of(element.vertices, x), kind == StiffnessKind::Semidefinite),
                   entries);
  });
  Sparse matrix(3 * x.rows(), 3 * x.rows());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Sparse ClothForces::damping_matrix(const Eigen::Ref<const Points>& x) const {
  std::vector<Eigen::Triplet<double>> entries;
  every([&](const auto& element, double coefficient) {
    if (coefficient == 0.0) return;
    const auto c = element.constraint(corners_of(element.vertices, x));
    add_to_entries(element.vertices, (coefficient * c.slope.transpose() * c.slope).eval(), entries);
  });
  Sparse matrix(3 * x.rows(), 3 * x.rows());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

double stable_time_step(const Sparse& stiffness, const Eigen::VectorXd& masses, const Points& is_free) {
  // Symmetric form with w = M^½ u: M^-½ K M^-½.
  Eigen::VectorXd root(3 * masses.size());
  for (Eigen::Index i = 0; i < root.size(); ++i) root[i] = 1.0 / std::sqrt(masses[i / 3]);
  const double squared = numerics::largest_eigenvalue(
      Eigen::Map<const Eigen::VectorXd>(is_free.data(), is_free.size()),
      [&](const Eigen::VectorXd& w) { return Eigen::VectorXd(root.cwiseProduct(stiffness * root.cwiseProduct(w))); });
  return squared > 0.0 ? 2.0 / std::sqrt(squared) : std::numeric_limits<double>::infinity();
}

}  // namespace deformbench::cloth
