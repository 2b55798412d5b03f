// SPDX-License-Identifier: BSD-3-Clause
// Bullet's deformable body, with its own elements, implicit step and conjugate gradients. Only the loads on single
// vertices are ours, added through Bullet's base class for forces.
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>

#include <cmath>
#include <functional>

#include "methods/peers/bullet/bullet_simulations.hpp"
#include "methods/peers/bullet/bullet_world.hpp"

namespace deformbench::bullet {
namespace {

using Stack = btAlignedObjectArray<btVector3>;

/// Sets Bullet's limits, which are members without a setter.
struct Solver final : btDeformableBodySolver {
  Solver(const Parameters& p) {
    m_maxNewtonIterations = int(p.integer("newton_iterations"));
    m_newtonTolerance = p.real("newton_tolerance_n_s");
    m_cg.m_maxIterations = int(p.integer("cg_iterations"));
    m_cg.setTolerance(p.real("cg_tolerance"));
    // Otherwise the constructor's preconditioner is used before the world sets this one, and prints a warning.
    setPreconditioner(btDeformableBackwardEulerObjective::Mass_preconditioner);
  }
};

/// Forces on the vertices. Bullet calls every force once per evaluation of the residual and once per product with its
/// matrix. This one is the last, so it sees the whole residual, and counts.
struct Loads final : btDeformableLagrangianForce {
  Points forces;                  ///< n×3, N
  std::function<void()> watcher;  ///< called when Bullet evaluates the residual of an iterate; may be empty
  // Since the substep began. Bullet evaluates all forces once before its Newton iterations, to predict motion.
  int evaluations = 0, products = 0, solves = 0;
  double first_residual = 0.0, last_residual = 0.0;  ///< N s

  void begin() {
    evaluations = products = solves = 0;
    first_residual = last_residual = 0.0;
  }
  void addScaledForces(btScalar scale, TVStack& force) override {
    for (Eigen::Index i = 0; i < forces.rows(); ++i) force[int(i)] += scale * to_bullet(forces, i);
    if (++evaluations == 1) return;
    const btSoftBody& body = *m_softBodies[0];
    double sum = 0.0;
    for (int i = 0; i < body.m_nodes.size(); ++i)
      if (body.m_nodes[i].m_im > 0) sum += force[i].length2();
    last_residual = std::sqrt(sum);
    if (evaluations == 2) first_residual = last_residual;
    is_new_solve_ = true;
    if (watcher) watcher();
  }
  /// Newton iterations of the substep so far.
  int iteration() const { return evaluations - 2; }
  void addScaledElasticForceDifferential(btScalar, const TVStack&, TVStack&) override {
    ++products;
    if (is_new_solve_) ++solves;
    is_new_solve_ = false;
  }
  void addScaledExplicitForce(btScalar scale, TVStack& force) override { addScaledForces(scale, force); }
  void addScaledDampingForce(btScalar, TVStack&) override {}
  void addScaledDampingForceDifferential(btScalar, const TVStack&, TVStack&) override {}
  void buildDampingForceDifferentialDiagonal(btScalar, TVStack&) override {}
  // Bullet merges forces of one type, and casts gravity to its own class; this type is not used otherwise.
  btDeformableLagrangianForceType getForceType() override { return BT_MOUSE_PICKING_FORCE; }
  double totalEnergy(btScalar) override {
    double work = 0.0;
    const btSoftBody& body = *m_softBodies[0];
    for (Eigen::Index i = 0; i < forces.rows(); ++i) work += to_bullet(forces, i).dot(body.m_nodes[int(i)].m_q);
    return -work;
  }

 private:
  bool is_new_solve_ = false;
};

std::unique_ptr<btDeformableLagrangianForce> make_elasticity(const model::Material& material, const Parameters& p) {
  double mu = material.lame_mu(), lambda = material.lame_lambda();
  const double damping = p.real("damping_s");
  if (p.text("law") == "linear_elasticity")
    return std::make_unique<btDeformableLinearElasticityForce>(mu, lambda, p.real("mass_damping_1_s"), damping);
  // The energy is that of [SGK18], whose constants m, l are not Lamé's: linearised, μ = 3m/4 and λ = l − 5m/8.
  if (p.text("constants") == "small_strain") {
    lambda += 5.0 / 6.0 * mu;
    mu *= 4.0 / 3.0;
  }
  return std::make_unique<btDeformableNeoHookeanForce>(mu, lambda, damping);
}

class BulletFem final : public BulletBody, public ElasticityFacet, public IterationFacet {
 public:
  BulletFem(const Scene& scene, const Parameters& p)
      : BulletBody(scene, int(p.integer("substeps"))),
        is_linear_(p.text("law") == "linear_elasticity"),
        is_damped_(p.real("damping_s") > 0.0 || (is_linear_ && p.real("mass_damping_1_s") > 0.0)),
        elasticity_(make_elasticity(scene.material_of(0), p)),
        material_(scene.material_of(0)),
        gravity_(btVector3(scene.gravity.x(), scene.gravity.y(), scene.gravity.z())),
        solver_(p) {
    constraints_.setDeformableSolver(&solver_);
    world_ = std::make_unique<btDeformableMultiBodyDynamicsWorld>(&collisions_.dispatcher, &collisions_.broadphase,
                                                                  &constraints_, &collisions_.configuration, &solver_);
    world_->setGravity(gravity_.m_gravity);
    world_->getWorldInfo().m_gravity = gravity_.m_gravity;
    world_->setImplicit(true);
    world_->setLineSearch(p.flag("line_search"));
    world_->setUseProjection(true);  // the other treatment of constraints has no implicit scheme
    body_.reset(make_elements(world_->getWorldInfo()));
    start(*body_);
    world_->addSoftBody(body_.get());
    loads_.forces = Points::Zero(scene.vertex_count(), 3);
    world_->addForce(body_.get(), &gravity_);
    world_->addForce(body_.get(), elasticity_.get());
    world_->addForce(body_.get(), &loads_);  // the last
  }
  ~BulletFem() override { world_->removeSoftBody(body_.get()); }

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override {
    btSoftBody& twin = twin_at(positions);
    double energy = 0.0;
    for (int e = 0; e < twin.m_tetras.size(); ++e) {
      const btSoftBody::TetraScratch& s = twin.m_tetraScratches[e];
      energy += twin.m_tetras[e].m_element_measure * (is_linear_ ? linear_density(s) : neo_hookean_density(s));
    }
    return energy;
  }
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override {
    btSoftBody& twin = twin_at(positions);
    Stack forces;
    forces.resize(twin.m_nodes.size(), btVector3(0, 0, 0));
    // addScaledElasticForce is not in the base class; the explicit part of these forces is the elastic one.
    elasticity_->m_softBodies[0] = &twin;
    elasticity_->addScaledExplicitForce(1.0, forces);
    elasticity_->m_softBodies[0] = body_.get();
    Points result(positions.rows(), 3);
    for (int i = 0; i < forces.size(); ++i)
      for (int c = 0; c < 3; ++c) result(i, c) = forces[i][c];
    return result;
  }

  Support iterates() const override { return Support::yes(); }
  Support iterations_have(IterationQuantity quantity) const override {
    if (quantity == IterationQuantity::LinearIterations) return Support::yes();
    if (quantity == IterationQuantity::NewtonDecrement) return Support::no("Bullet does not hand out its steps");
    if (quantity != IterationQuantity::Objective && quantity != IterationQuantity::GradientNorm)
      return Support::no("tetrahedra have no stretch constraints");
    if (is_damped_) return Support::no("damping is no part of a potential");
    if (is_linear_) return Support::no("the forces of Bullet's linear elasticity are no gradient of an energy");
    return Support::yes();
  }
  void watch_iterations(IterationLog* log) override {
    log_ = log;
    loads_.watcher = nullptr;
    if (log != nullptr)
      loads_.watcher = [this] { log_iterate(loads_.iteration(), node_points(&btSoftBody::Node::m_q)); };
  }

 private:
  btSoftBody* make_elements(btSoftBodyWorldInfo& world) const {
    btSoftBody* body = make_nodes(world);
    const auto& tetrahedra = scene_.tet_mesh.tetrahedra;
    body->m_tetras.reserve(int(tetrahedra.rows()));
    for (Eigen::Index e = 0; e < tetrahedra.rows(); ++e)
      body->appendTetra(tetrahedra(e, 0), tetrahedra(e, 1), tetrahedra(e, 2), tetrahedra(e, 3));
    body->initializeDmInverse();
    body->m_tetraScratches.resize(body->m_tetras.size());
    body->m_tetraScratchesTn.resize(body->m_tetras.size());
    body->m_cfg.collisions = 0;
    for (int i = 0; i < body->m_nodes.size(); ++i) body->m_nodes[i].index = i;
    return body;
  }

  /// A second body of the same elements, so that evaluating a state changes nothing.
  btSoftBody& twin_at(const Eigen::Ref<const Points>& positions) const {
    if (!twin_) twin_.reset(make_elements(twin_world_));
    for (int i = 0; i < twin_->m_nodes.size(); ++i) twin_->m_nodes[i].m_q = to_bullet(positions, i);
    twin_->updateDeformation();
    return *twin_;
  }

  /// The energy whose gradient Bullet's forces are: its elasticEnergyDensity keeps the rotation in the strain.
  double linear_density(const btSoftBody::TetraScratch& s) const {
    const btMatrix3x3 f = s.m_corotation.transpose() * s.m_F;
    const btMatrix3x3 strain = (f + f.transpose()) * 0.5 - btMatrix3x3::getIdentity();
    const double trace = strain[0][0] + strain[1][1] + strain[2][2];
    return material_.lame_mu() * (strain[0].length2() + strain[1].length2() + strain[2].length2()) +
           0.5 * material_.lame_lambda() * trace * trace;
  }
  /// Bullet's own, minus its value at rest.
  double neo_hookean_density(const btSoftBody::TetraScratch& s) const {
    auto& law = static_cast<btDeformableNeoHookeanForce&>(*elasticity_);
    btSoftBody::TetraScratch rest;
    rest.m_trace = 3.0;
    rest.m_J = 1.0;
    return law.elasticEnergyDensity(s) - law.elasticEnergyDensity(rest);
  }

  void advance(int substep, double seconds, const Points& loads, StepReport& report) override {
    loads_.forces = loads;
    loads_.begin();
    if (log_ != nullptr) begin_substep(substep, seconds, report.iterations);
    world_->stepSimulation(seconds, 0);
    // Bullet does not evaluate the result of its last iteration.
    if (log_ != nullptr && loads_.solves > loads_.iteration())
      log_iterate(loads_.solves, node_points(&btSoftBody::Node::m_x));
    report.solves += loads_.solves;
    report.assemblies = 0;  // matrix-free products
    report.iterations += loads_.products - loads_.solves;
    report.residual = loads_.first_residual > 0.0 ? loads_.last_residual / loads_.first_residual : 0.0;
    if (!std::isfinite(report.residual)) {
      report.outcome = StepOutcome::Diverged;
      report.residual = 0.0;
    }
  }

  Points node_points(btVector3 btSoftBody::Node::*which) const {
    Points points(body_->m_nodes.size(), 3);
    for (int i = 0; i < body_->m_nodes.size(); ++i)
      for (int c = 0; c < 3; ++c) points(i, c) = (body_->m_nodes[i].*which)[c];
    return points;
  }
  void begin_substep(int substep, double seconds, int linear_iterations) {
    watched_ = {substep, seconds, linear_iterations, node_points(&btSoftBody::Node::m_x), {}};
    watched_.inertial = watched_.start + seconds * node_points(&btSoftBody::Node::m_vn);
  }
  /// E(z) = ½ (z − ŷ)ᵀM(z − ŷ)/Δt² + Ψ(z) − f·(z − x), as in methods/fem/nonlinear/newton.hpp.
  void log_iterate(int iteration, const Points& z) {
    log_->stop_clock();
    Iteration row;
    row.kind = IterationKind::Newton;
    row.substep = watched_.substep;
    row.iteration = iteration;
    row[IterationQuantity::LinearIterations] = watched_.linear_iterations + loads_.products - loads_.solves;
    if (!is_damped_ && !is_linear_) {
      const Points away = z - watched_.inertial, loads = loads_.forces + masses_ * scene_.gravity.transpose();
      const double inertia = 1.0 / (watched_.seconds * watched_.seconds);
      Points gradient = inertia * (masses_.asDiagonal() * away) - elastic_forces(z) - loads;
      for (const auto& motion : scene_.prescribed)
        for (const int v : motion.vertices) gradient.row(v).setZero();
      double objective = elastic_energy(z) - loads.cwiseProduct(z - watched_.start).sum();
      objective += 0.5 * inertia * masses_.dot(away.rowwise().squaredNorm());
      row[IterationQuantity::Objective] = objective;
      row[IterationQuantity::GradientNorm] = gradient.norm();
    }
    log_->add(row);
  }

  /// The substep whose iterations are observed.
  struct Watched {
    int substep = 0;
    double seconds = 0.0;
    int linear_iterations = 0;  ///< of the substeps before
    Points start, inertial;     ///< x and ŷ, m
  };

  const bool is_linear_, is_damped_;
  IterationLog* log_ = nullptr;
  Watched watched_;
  const std::unique_ptr<btDeformableLagrangianForce> elasticity_;
  const model::Material material_;
  btDeformableGravityForce gravity_;
  Loads loads_;
  Collisions collisions_;
  Solver solver_;
  btDeformableMultiBodyConstraintSolver constraints_;
  std::unique_ptr<btDeformableMultiBodyDynamicsWorld> world_;
  std::unique_ptr<btSoftBody> body_;
  mutable btSoftBodyWorldInfo twin_world_;
  mutable std::unique_ptr<btSoftBody> twin_;
};

}  // namespace

std::unique_ptr<Simulation> make_bullet_fem(const Scene& scene, const Parameters& parameters) {
  return std::make_unique<BulletFem>(scene, parameters);
}

}  // namespace deformbench::bullet
