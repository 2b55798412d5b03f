// SPDX-License-Identifier: BSD-3-Clause
// Stress fields that drive cracks: prescribed ones, and that of a solid's nodes. [PKAGDG05] §3.2
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "methods/meshless/cracks/stress_field.hpp"
#include "methods/meshless/nodes/mls_elasticity.hpp"
#include "methods/meshless/weights/crack_weights.hpp"

namespace deformbench::meshless {

/// A prescribed stress R σ Rᵀ; R rotates about `axis` by an angle that depends on position and time.
struct GivenStress {
  Matrix3 stress = Matrix3::Zero();    ///< σ, Pa
  Vector3 axis = Vector3::UnitZ();     ///< unit
  Vector3 gradient = Vector3::Zero();  ///< rad/m: gradient of the angle in x
  double half_angle = 0.0;             ///< rad: added where x·`halves` > 0, otherwise subtracted
  Vector3 halves = Vector3::UnitX();
  double switch_angle = 0.0;                                     ///< rad, added from `switch_time` on
  double switch_time = std::numeric_limits<double>::infinity();  ///< s
};
Matrix3 given_stress(const GivenStress& given, const Vector3& x, double time);

/// Tension λ v vᵀ along a smoothly varying random direction v, deterministic for a given seed.
class WanderingStress {
 public:
  /// λ (Pa); v rotates over about `length` (m).
  WanderingStress(double tension, double length, std::uint64_t seed);
  Matrix3 stress(const Vector3& x) const;

 private:
  struct Wave {
    Vector3 amplitude, number;  ///< 1, 1/m
    double phase;
  };
  double tension_;
  std::array<Wave, 4> waves_;
  Vector3 mean_;
};

/// Stress of the nodes whose supports contain x, averaged with their weights at x including cracks: [PKAGDG05]
/// §3.2, weighted averaging from adjacent nodes.
class NodalStress {
 public:
  NodalStress(const NodeCloud& cloud, const CrackWeights& weights) : cloud_(cloud), weights_(weights) {}
  /// Sets σ of every node at the positions x (n×3, m), as used by the forces.
  void set(const MlsElasticity& elasticity, const Eigen::Ref<const Points>& x);
  /// Pa; zero if no node sees x.
  Matrix3 at(const Vector3& x) const;
  /// Pa, of the nearest node that sees x; zero if none does.
  Matrix3 nearest(const Vector3& x) const;
  const Matrix3& of_node(std::size_t i) const { return stresses_[i]; }

 private:
  const NodeCloud& cloud_;
  const CrackWeights& weights_;
  std::vector<Matrix3> stresses_;
};

}  // namespace deformbench::meshless
