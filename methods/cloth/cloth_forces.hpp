// SPDX-License-Identifier: BSD-3-Clause
// Internal forces of all elements (springs, triangles, tetrahedra, hinges): energy, forces, damping, and the
// derivatives for implicit steps. [B05] §2-5
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "methods/cloth/cloth_options.hpp"
#include "methods/cloth/elements/hinges.hpp"
#include "methods/cloth/elements/springs.hpp"
#include "methods/cloth/elements/strain_elements.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::cloth {

enum class StiffnessKind {
  Exact,         ///< −∂f/∂x: symmetric, indefinite for compressed or strongly bent elements
  Semidefinite,  ///< without terms that can have negative eigenvalues; equals Exact if unstressed
};

/// Vertices are numbered as in the scene. Matrices are 3n×3n with coordinate 3·vertex + axis; rows of prescribed
/// vertices are kept. Const members are thread-safe.
class ClothForces {
 public:
  ClothForces(const Scene& scene, const ClothOptions& options);

  double energy(const Eigen::Ref<const Points>& x) const;  ///< J
  /// Adds −∂W/∂x (N, n×3).
  void add_elastic(const Eigen::Ref<const Points>& x, Points& forces) const;
  /// Adds −k_d (∂C/∂x)ᵀ (∂C/∂x) v (N, n×3) of every element. Does not include mass damping.
  void add_damping(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Points>& v, Points& forces) const;

  /// −∂f/∂x of the elastic forces (N/m). Neither kind contains ∂/∂x of the damping forces.
  Sparse stiffness_matrix(const Eigen::Ref<const Points>& x, StiffnessKind kind) const;
  /// −∂f/∂v of the damping forces: Σ k_d (∂C/∂x)ᵀ(∂C/∂x), symmetric positive semidefinite (N s/m).
  Sparse damping_matrix(const Eigen::Ref<const Points>& x) const;
  bool is_damped() const { return options_.stretch_damping > 0.0 || options_.bend_damping > 0.0; }

  std::int64_t element_count() const {
    return std::int64_t(springs_.size() + membrane_.size() + solid_.size() + hinges_.size());
  }
  std::vector<Spring>& springs() { return springs_; }  ///< mutable for plastic flow
  const std::vector<Spring>& springs() const { return springs_; }
  const std::vector<Hinge>& hinges() const { return hinges_; }

 private:
  /// Calls visit(element, damping coefficient in s) for every element.
  template <class Visit>
  void every(const Visit& visit) const;

  const ClothOptions options_;
  std::vector<Spring> springs_;
  std::vector<MembraneTriangle> membrane_;
  std::vector<SolidTetrahedron> solid_;
  std::vector<Hinge> hinges_;
};

/// Longest stable step 2/ω_max (s) of undamped symplectic Euler; K u = ω² M u for the free components, K `stiffness`.
/// Infinite if K = 0. `masses` n (kg), `is_free` n×3 with 1 or 0.
double stable_time_step(const Sparse& stiffness, const Eigen::VectorXd& masses, const Points& is_free);

}  // namespace deformbench::cloth
