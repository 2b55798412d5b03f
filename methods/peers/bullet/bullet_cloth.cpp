// SPDX-License-Identifier: BSD-3-Clause
// Bullet's soft body as cloth: a link for every edge, Bullet's own bending links and position solver.
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

#include <set>
#include <utility>

#include "methods/peers/bullet/bullet_simulations.hpp"
#include "methods/peers/bullet/bullet_world.hpp"

namespace deformbench::bullet {
namespace {

class BulletCloth final : public BulletBody {
 public:
  BulletCloth(const Scene& scene, const Parameters& p)
      : BulletBody(scene, int(p.integer("substeps"))), iterations_(int(p.integer("iterations"))) {
    world_ = std::make_unique<btSoftRigidDynamicsWorld>(&collisions_.dispatcher, &collisions_.broadphase, &contacts_,
                                                        &collisions_.configuration);
    const btVector3 gravity(scene.gravity.x(), scene.gravity.y(), scene.gravity.z());
    world_->setGravity(gravity);
    btSoftBodyWorldInfo& info = world_->getWorldInfo();
    info.m_gravity = gravity;
    info.m_dispatcher = &collisions_.dispatcher;
    info.m_broadphase = &collisions_.broadphase;
    info.m_sparsesdf.Initialize();
    body_.reset(make_nodes(info));
    body_->m_materials[0]->m_kLST = p.real("stretch_stiffness");
    append_links();
    if (p.real("bend_stiffness") > 0.0) {
      btSoftBody::Material* bending = body_->appendMaterial();
      bending->m_kLST = p.real("bend_stiffness");
      body_->generateBendingConstraints(2, bending);
    }
    if (p.flag("randomized_order")) body_->randomizeConstraints();  // with Bullet's own fixed seed
    body_->m_cfg.piterations = iterations_;
    body_->m_cfg.kDP = p.real("damping");
    body_->m_cfg.collisions = 0;
    body_->updateConstants();  // rest lengths, before the nodes move to their start
    body_->m_bUpdateRtCst = false;
    start(*body_);
    world_->addSoftBody(body_.get());
  }
  ~BulletCloth() override { world_->removeSoftBody(body_.get()); }

 private:
  void append_links() {
    const Triangles& triangles = scene_.cloth.triangles;
    std::set<std::pair<int, int>> edges;
    for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
      for (int k = 0; k < 3; ++k) edges.insert(std::minmax({triangles(t, k), triangles(t, (k + 1) % 3)}));
      body_->appendFace(triangles(t, 0), triangles(t, 1), triangles(t, 2));
    }
    for (const auto& [a, b] : edges) body_->appendLink(a, b);
  }

  void advance(int, double seconds, const Points& loads, StepReport& report) override {
    for (int i = 0; i < body_->m_nodes.size(); ++i) body_->m_nodes[i].m_f = to_bullet(loads, i);
    world_->stepSimulation(seconds, 0);
    report.iterations += iterations_;
  }

  const int iterations_;
  Collisions collisions_;
  btSequentialImpulseConstraintSolver contacts_;
  std::unique_ptr<btSoftRigidDynamicsWorld> world_;
  std::unique_ptr<btSoftBody> body_;
};

}  // namespace

std::unique_ptr<Simulation> make_bullet_cloth(const Scene& scene, const Parameters& parameters) {
  return std::make_unique<BulletCloth>(scene, parameters);
}

}  // namespace deformbench::bullet
