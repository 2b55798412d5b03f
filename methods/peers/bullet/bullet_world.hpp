// SPDX-License-Identifier: BSD-3-Clause
// Shared by both bodies of Bullet [C15]. For .cpp files of this folder only: it includes Bullet.
#pragma once

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>

#include <vector>

#include "methods/facets.hpp"
#include "methods/method.hpp"

namespace deformbench::bullet {

// The *-float64 libraries need BT_USE_DOUBLE_PRECISION, set by pkg-config; without it all struct layouts differ.
static_assert(sizeof(btScalar) == sizeof(double), "Bullet in double precision: compile with its pkg-config flags");

inline btVector3 to_bullet(const Eigen::Ref<const Points>& points, Eigen::Index i) {
  return {points(i, 0), points(i, 1), points(i, 2)};
}

/// Parts of a Bullet world besides its solver. Nothing collides: there is only one body.
struct Collisions {
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
};

/// One soft body in a world: its state for the harness, supports, loads.
class BulletBody : public Simulation {
 public:
  explicit BulletBody(const Scene& scene, int substeps);
  StepReport step() override;
  StateView state() const override;

 protected:
  /// A body, owned by the caller, of nodes at the rest positions with the scene's masses; prescribed: 0.
  btSoftBody* make_nodes(btSoftBodyWorldInfo& world) const;
  /// Call from the derived class's constructor: `body` starts from the scene's initial state, and never sleeps.
  void start(btSoftBody& body);
  /// Advances the world by `seconds`, the `substep`-th (from 0) of the time step, with these loads on the vertices
  /// (n×3, N; without gravity).
  virtual void advance(int substep, double seconds, const Points& loads, StepReport& report) = 0;

  const Scene scene_;
  const Eigen::VectorXd masses_;

 private:
  void prescribe_velocities(double time, double seconds);
  void read_state();

  const int substeps_;
  double time_ = 0.0;
  Points positions_, velocities_;
  btSoftBody* body_ = nullptr;
};

}  // namespace deformbench::bullet
