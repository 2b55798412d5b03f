// SPDX-License-Identifier: BSD-3-Clause
// Small pieces as rigid bodies: their nodes keep their positions in the body frame. [PKAGDG05] §6
//   P = Σ m_i v_i,  L = Σ m_i (x_i − c) × v_i,  v = P / m,  ω = I⁺ L,  v_i = v + ω × (x_i − c)
// Internal forces cancel; only the external force and moment remain.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::meshless {

class RigidPieces {
 public:
  /// A piece that became rigid.
  struct Switch {
    std::vector<int> nodes;
    double kinetic;   ///< J, kinetic energy of its rigid motion
    double internal;  ///< J, kinetic energy of relative motion, which is lost
  };

  /// Makes all pieces of fewer than `below` nodes rigid in their current shape, except those with a held coordinate
  /// (n×3, 1 or 0). Mass, centre, inertia and both momenta are conserved; `velocities` (n×3, m/s) become those of the
  /// rigid motion. Pieces already rigid and unchanged continue, up to rounding. Returns the newly rigid pieces.
  std::vector<Switch> update(std::span<const int> pieces, int below, const Eigen::VectorXd& masses,
                             const Points& is_held, const Points& positions, Points& velocities);

  bool empty() const { return bodies_.empty(); }
  /// Per node, 1 if in a rigid piece; empty before the first update.
  std::span<const char> is_rigid() const { return is_rigid_; }

  /// Multiplies momenta by `kept`, adds `push` (s) times force and moment of m a (a: `accelerations`, m/s², n×3) and
  /// moves pieces for `step` (s; 0: no motion). Sets their nodes' positions and velocities.
  void advance(double kept, double push, double step, const Points& accelerations, Points& positions,
               Points& velocities);

 private:
  struct Body {
    std::vector<int> nodes;
    std::vector<Vector3> places;  // relative to the centre, in the body frame
    std::vector<double> masses;
    double mass;
    Vector3 centre, momentum, angular_momentum;
    Matrix3 orientation = Matrix3::Identity();
    Matrix3 inverse_inertia;  // body frame
    Vector3 turning() const { return orientation * (inverse_inertia * (orientation.transpose() * angular_momentum)); }
  };
  static Body body_of(std::vector<int> nodes, const Eigen::VectorXd& masses, const Points& positions,
                      const Points& velocities);
  static void place(const Body& body, Points& positions, Points& velocities);

  std::vector<Body> bodies_;
  std::vector<char> is_rigid_;
};

}  // namespace deformbench::meshless
