// SPDX-License-Identifier: BSD-3-Clause
// Sweep over neo-Hookean tetrahedra in SIMD lanes: the corrections of local_step.hpp, independent tetrahedra at once,
// list scheduled with the result of the sequential order, or coloured.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "methods/pbd/options/pbd_options.hpp"
#include "methods/pbd/solid/neo_hookean.hpp"
#include "methods/work.hpp"

namespace deformbench::pbd {

struct SolidTetrahedron {
  std::array<int, 4> vertices;
  std::array<Vector3, 4> slopes;  ///< ∇N, 1/m
  double volume;                  ///< m³, at rest
  NeoHookean material;
};

class SolidLanes {
 public:
  virtual ~SolidLanes() = default;
  /// As NeoHookeanSolid::begin_step.
  virtual void begin_step(double time_step, Points& positions) = 0;
  /// As NeoHookeanSolid::sweep.
  virtual void sweep(Points& positions, Work& work) = 0;
};

/// Whether lanes support these options: order forward, symmetric or coloured, execution scheduled.
bool has_solid_lanes(const PbdOptions& options);

/// `tetrahedra`: at least one vertex of each is movable. `inverse_masses`: n, 1/kg. Threads share the tetrahedra of a
/// colour; other orders use one. The result does not depend on their number.
std::unique_ptr<SolidLanes> make_solid_lanes(const std::vector<SolidTetrahedron>& tetrahedra,
                                             const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                                             int threads);

}  // namespace deformbench::pbd
