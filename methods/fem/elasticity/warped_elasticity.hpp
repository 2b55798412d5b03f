// SPDX-License-Identifier: BSD-3-Clause
// Linear elasticity in the frame of the rest shape or of each element, [MG04] §2, with the plastic creep of §3 and
// the heat sources that change materials: batched elements for the step, the double-precision model for the facets.
#pragma once

#include <optional>
#include <span>

#include "methods/fem/body/heating.hpp"
#include "methods/fem/elasticity/breaking_stress.hpp"
#include "methods/fem/elasticity/elasticity.hpp"
#include "methods/fem/elasticity/plasticity.hpp"
#include "methods/fem/elasticity/warped_elements.hpp"

namespace deformbench::fem {

struct PlasticOptions {
  PlasticLaw law;
  PlasticParameters parameters;  ///< of every element that no heat source has reached
};

struct WarpedElasticityOptions {
  RotationRule rotation;
  bool keeps_matrix = false;  ///< linear elasticity, R = I: the matrix is assembled once
  std::optional<PlasticOptions> plastic;
  std::optional<double> fracture_threshold;  ///< Pa, for `suspects`
  StressTest stress;                         ///< strain and rotation of stresses, in facets and in fracture
};

template <class T>
class WarpedElasticity final : public AffineElasticity<T>,
                               public BreakingStress,
                               public RotationFacet,
                               public PlasticStrainFacet,
                               public StoredStiffnessFacet {
 public:
  /// `scale`: c of the integrator's matrix, s². `body` must outlive the part; heat changes the materials of its
  /// scene.
  WarpedElasticity(Body<T>& body, const WarpedElasticityOptions& options, double scale);

  void prepare() override;
  bool has_constant_matrix() const override { return options_.keeps_matrix; }
  bool matrix_is_current() const override { return matrix_is_current_; }
  void assemble(LinearSystem<T>& system, T* g) override;
  void renew_forces(T* g) override;
  void release() override;
  Eigen::SparseMatrix<double> stiffness(const Eigen::Ref<const Points>& x) const override {
    return model_.stiffness(x);
  }
  double stiffness_bound() const override { return model_.stiffness_bound(); }
  void follow(const GraphChange& change) override;

  double elastic_energy(const Eigen::Ref<const Points>& x) const override { return model_.energy(x); }
  Points elastic_forces(const Eigen::Ref<const Points>& x) const override { return model_.forces(x); }
  std::vector<Matrix3> rotations(const Eigen::Ref<const Points>& x) const override { return model_.rotations(x); }
  std::vector<Vector6> element_stresses(const Eigen::Ref<const Points>& x) const override;
  std::vector<Vector6> plastic_strains() const override;
  std::span<const std::uint8_t> heated() const override { return heating_.heated(); }
  std::vector<StoredStiffness> stored_stiffness() const override;

  std::vector<Suspect> suspects() override;
  Matrix3 breaking_rotation(int element) const override;
  Vector6 breaking_stress(int element, const Matrix3& rotation) const override;

 private:
  /// Updates heat, rotations, next plastic strains, and `suspects` if given, at the current positions.
  void pass(std::vector<Suspect>* suspects);
  void heat();
  bool is_plastic() const { return options_.plastic.has_value(); }
  Vector6 stored_strain(int element) const { return elements_.plastic_strain(element); }
  /// ε_p subtracted from the strain in stresses.
  Vector6 strain_off_stress(int element) const;

  Body<T>& body_;
  const WarpedElasticityOptions options_;
  Heating heating_;
  ElementModel model_;
  WarpedElements<T> elements_;
  std::vector<RestElement> rest_;  ///< of every element, for `breaking_stress`; empty without fracture
  bool is_prepared_ = false;       ///< the pass of the next step has been done
  bool has_stepped_ = false;
  bool matrix_is_current_ = false;
};

extern template class WarpedElasticity<float>;
extern template class WarpedElasticity<double>;

}  // namespace deformbench::fem
