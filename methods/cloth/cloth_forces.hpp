// SPDX-License-Identifier: BSD-3-Clause
// All internal forces of one piece of cloth or chain of springs: their energy, their damping, and the derivatives that
// implicit steps need. [B05] §2-5
#pragma once

#include <tuple>
#include <vector>

#include "methods/cloth/cloth_options.hpp"
#include "methods/cloth/elements/hinges.hpp"
#include "methods/cloth/elements/springs.hpp"
#include "methods/cloth/elements/strain_elements.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::cloth {

enum class StiffnessKind {
  Exact,         ///< −∂f/∂x, symmetric, indefinite where elements are pressed or bent far
  Semidefinite,  ///< without the parts that can have negative eigenvalues; the same at rest
};

/// Vertices are those of the scene, in its order; matrices are 3n×3n, coordinate 3·vertex + axis, nothing removed for
/// prescribed vertices. All members may be called from several threads.
class ClothForces {
 public:
  ClothForces(const Scene& scene, const ClothOptions& options);

  double energy(const Eigen::Ref<const Points>& x) const;  ///< J
  /// Adds −∂W/∂x (N, n×3).
  void add_elastic(const Eigen::Ref<const Points>& x, Points& forces) const;
  /// Adds −k_d (∂C/∂x)ᵀ (∂C/∂x) v (N, n×3) of every element. Without the mass damping of the options.
  void add_damping(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Points>& v, Points& forces) const;

  /// −∂f/∂x of the elastic forces (N/m). The damping forces' own slopes by x are in neither matrix.
  Sparse stiffness_matrix(const Eigen::Ref<const Points>& x, StiffnessKind kind) const;
  /// −∂f/∂v of the damping forces: Σ k_d (∂C/∂x)ᵀ(∂C/∂x), symmetric, of no negative eigenvalue (N s/m).
  Sparse damping_matrix(const Eigen::Ref<const Points>& x) const;
  bool is_damped() const { return options_.stretch_damping > 0.0 || options_.bend_damping > 0.0; }

  std::vector<Spring>& springs() { return springs_; }  ///< to change them, as plastic flow does
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

/// 2/ω_max (s) of K u = ω² M u over free components: the longest stable step of symplectic Euler about `x` without
/// damping; infinite where nothing is stiff. `masses` n (kg), `is_free` n×3 with 1 or 0.
double stable_time_step(const Sparse& stiffness, const Eigen::VectorXd& masses, const Points& is_free);

}  // namespace deformbench::cloth
