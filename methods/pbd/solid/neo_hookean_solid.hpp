// SPDX-License-Identifier: BSD-3-Clause
// Tetrahedral body with two constraints per tetrahedron (neo_hookean.hpp): sweeps, energy and forces. [MM21]
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/numerics/random.hpp"
#include "methods/pbd/options/pbd_options.hpp"
#include "methods/pbd/solid/local_step.hpp"
#include "methods/pbd/solid/solid_lanes.hpp"

namespace deformbench::pbd {

/// Reason the options are unsupported, one line; empty if supported.
std::string neo_hookean_refusal(const PbdOptions& options);

class NeoHookeanSolid final : public SimulationPart, public ElasticityFacet, public DeformationGradientFacet {
 public:
  /// Built from scene.tet_mesh and its materials; `inverse_masses`: n, 1/kg, 0 for held vertices. Tetrahedra without
  /// movable vertices contribute energy but are not projected.
  NeoHookeanSolid(const Scene& scene, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                  const RunContext& context);

  /// Starts a (sub)step of constant length `time_step` (s). Resets the multipliers and the applied corrections; a
  /// warm start instead adds the latter to predicted `positions`.
  void begin_step(double time_step, Points& positions);
  /// Projects every movable tetrahedron once (`symmetric`: twice) in options.order. Adds to `work`.
  void sweep(Points& positions, Work& work);

  /// J, 0 at rest.
  double elastic_energy(const Eigen::Ref<const Points>& positions) const override;
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override;
  std::vector<Matrix3> deformation_gradients(const Eigen::Ref<const Points>& positions) const override;

 private:
  struct Element : SolidTetrahedron {
    std::array<double, 4> inverse_masses;
    LocalMobility mobility;
    Multipliers multipliers;  ///< of C_D and C_H; kg m² (C has no unit)
    Matrix3 applied;          ///< Σ S applied so far, kg m²
  };
  Matrix3 deformation_gradient(const Element& element, const Eigen::Ref<const Points>& positions) const;
  Matrix3 change_of(Element& element, const Points& positions, Work& work) const;
  static void move(const Element& element, const Matrix3& change, Points& positions);
  void project(std::size_t index, Points& positions, Work& work);
  void jacobi_sweep(Points& positions, Work& work);

  PbdOptions options_;
  numerics::RandomStream random_;
  std::vector<Element> elements_;
  std::vector<std::size_t> order_;     ///< movable tetrahedra
  std::unique_ptr<SolidLanes> lanes_;  ///< null: scalar
  double time_step_ = 1.0;
  Points sums_;  ///< Jacobi: corrections
};

}  // namespace deformbench::pbd
