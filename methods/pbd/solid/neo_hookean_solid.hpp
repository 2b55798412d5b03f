// SPDX-License-Identifier: BSD-3-Clause
// A tetrahedral body of two constraints per tetrahedron (neo_hookean.hpp), its sweeps, energy and forces. [MM21]
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/numerics/random.hpp"
#include "methods/pbd/pbd_options.hpp"
#include "methods/pbd/solid/local_step.hpp"

namespace deformbench::pbd {

/// Why there is none with these options, one line; empty when there is.
std::string neo_hookean_refusal(const PbdOptions& options);

class NeoHookeanSolid final : public SimulationPart, public ElasticityFacet, public DeformationGradientFacet {
 public:
  /// Of scene.tet_mesh and its materials; `inverse_masses`: n, 1/kg, 0 of a held vertex. A tetrahedron of which nothing
  /// can move keeps its energy and is not visited.
  NeoHookeanSolid(const Scene& scene, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                  std::uint64_t seed);

  /// Start of a (sub)step of `time_step` (s), the same in all: nothing is applied yet, or, with a warm start, what was
  /// at the end of the last one, which moves the predicted `positions`.
  void begin_step(double time_step, Points& positions);
  /// Projects every tetrahedron once, in the order of the options (`symmetric`: twice), one after the other.
  void sweep(Points& positions);

  /// J, 0 at rest.
  double elastic_energy(const Eigen::Ref<const Points>& positions) const override;
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override;
  std::vector<Matrix3> deformation_gradients(const Eigen::Ref<const Points>& positions) const override;

 private:
  struct Element {
    std::array<int, 4> vertices;
    std::array<Vector3, 4> slopes;  ///< ∇N, 1/m
    std::array<double, 4> inverse_masses;
    double volume;  ///< m³, at rest
    NeoHookean material;
    LocalMobility mobility;
    Multipliers multipliers;  ///< N s² over the unit of C, times m; of the two projections
    Matrix3 applied;          ///< S that the Newton steps have put in place
  };
  Matrix3 deformation_gradient(const Element& element, const Eigen::Ref<const Points>& positions) const;
  Matrix3 change_of(Element& element, const Points& positions) const;
  static void move(const Element& element, const Matrix3& change, Points& positions);
  void project(std::size_t index, Points& positions);
  void jacobi_sweep(Points& positions);

  PbdOptions options_;
  numerics::RandomStream random_;
  std::vector<Element> elements_;
  std::vector<std::size_t> order_;  ///< of those that can move
  double time_step_ = 1.0;
  Points sums_;  ///< Jacobi: corrections
};

}  // namespace deformbench::pbd
