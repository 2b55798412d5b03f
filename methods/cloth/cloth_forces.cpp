// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/cloth_forces.hpp"

#include <cmath>
#include <limits>

#include "methods/numerics/random.hpp"

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
  // Power iteration on M^-½ K M^-½, from below: it stops when the largest eigenvalue grows by less than 1e-7 per round.
  const Eigen::Map<const Eigen::VectorXd> free(is_free.data(), is_free.size());
  Eigen::VectorXd root(is_free.size());
  for (Eigen::Index i = 0; i < root.size(); ++i) root[i] = free[i] / std::sqrt(masses[i / 3]);
  numerics::RandomStream random(1);
  Eigen::VectorXd w(root.size());
  for (Eigen::Index i = 0; i < w.size(); ++i) w[i] = free[i] * random.uniform(-0.5, 0.5);
  double squared = 0.0;
  constexpr int kMostIterations = 5000;
  for (int k = 0; k < kMostIterations && w.norm() > 0.0; ++k) {
    w.normalize();
    const Eigen::VectorXd next = root.cwiseProduct(stiffness * root.cwiseProduct(w));
    const double last = squared;
    squared = next.norm();
    w = next;
    if (k > 20 && squared - last < 1e-7 * squared) break;
  }
  return squared > 0.0 ? 2.0 / std::sqrt(squared) : std::numeric_limits<double>::infinity();
}

}  // namespace deformbench::cloth
