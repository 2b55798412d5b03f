// SPDX-License-Identifier: BSD-3-Clause
// Straightforward position based cloth: an array of particles, lists of edges and bends processed sequentially, with
// Eigen's vectors and library functions. Shares no code with methods/pbd on purpose: it is a speed baseline and an
// oracle of results. [MHHR07] §3 with w-weighted projections, k′ and the signed dihedral angle.
#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <utility>

#include "methods/peers/register_peers.hpp"

namespace deformbench::peers {

namespace {

struct Particle {
  Vector3 x, p, v;  ///< position, predicted position (m), velocity (m/s)
  double w;         ///< 1/kg; 0: held
};

struct Edge {
  int a, b;
  double rest_length;  ///< m
};

struct Bend {
  int a, b, c, d;     ///< triangles (a, c, b) and (a, b, d)
  double rest_angle;  ///< rad
};

double angle_of(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const Vector3 n1 = (c - a).cross(b - a), n2 = (b - a).cross(d - a);
  return std::atan2((b - a).norm() * n2.dot(c - a), n1.dot(n2));
}

class NaivePbd final : public Simulation {
 public:
  NaivePbd(const Scene& scene, const Parameters& parameters)
      : scene_(scene), iterations_(int(parameters.integer("iterations"))), masses_(lumped_masses(scene)) {
    stretch_ = 1.0 - std::pow(1.0 - parameters.real("stretch_stiffness"), 1.0 / iterations_);
    bend_ = 1.0 - std::pow(1.0 - parameters.real("bend_stiffness"), 1.0 / iterations_);
    const Points x = scene.start_positions(), v = scene.start_velocities();
    for (Eigen::Index i = 0; i < masses_.size(); ++i)
      particles_.push_back({x.row(i).transpose(), x.row(i).transpose(), v.row(i).transpose(), 1.0 / masses_[i]});
    for (const auto& motion : scene.prescribed)
      for (const int i : motion.vertices) particles_[std::size_t(i)].w = 0.0;
    list_constraints();
    write_state();
  }

  StepReport step() override {
    const double dt = scene_.time_step;
    time_ += dt;
    for (Particle& particle : particles_) {
      if (particle.w == 0.0) continue;
      particle.v += dt * scene_.gravity;
      particle.p = particle.x + dt * particle.v;
    }
    for (const auto& motion : scene_.prescribed)
      for (std::size_t k = 0; k < motion.vertices.size(); ++k) {
        const int i = motion.vertices[k];
        particles_[std::size_t(i)].p = motion.position_at(k, scene_.cloth.rest_positions.row(i).transpose(), time_);
      }
    for (int k = 0; k < iterations_; ++k) {
      for (const Edge& edge : edges_) project(edge);
      for (const Bend& bend : bends_) project(bend);
    }
    for (Particle& particle : particles_) {
      particle.v = (particle.p - particle.x) / dt;
      particle.x = particle.p;
    }
    write_state();
    StepReport report;
    report.outcome = positions_.allFinite() ? StepOutcome::Advanced : StepOutcome::Diverged;
    report.iterations = iterations_;
    const auto visits = std::int64_t(iterations_) * std::int64_t(edges_.size() + bends_.size());
    report.work = Work{.gradients = visits, .local_solves = visits};
    return report;
  }

  StateView state() const override {
    return {time_, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

 private:
  /// Edges by (b − a, a), a < b; bends in the order of their edges.
  void list_constraints() {
    std::map<std::pair<int, int>, std::array<int, 2>>
        opposite;  // opposite vertices of the triangles that traverse the edge downwards and upwards
    const Triangles& triangles = scene_.cloth.triangles;
    for (Eigen::Index t = 0; t < triangles.rows(); ++t)
      for (int k = 0; k < 3; ++k) {
        const int i = triangles(t, k), j = triangles(t, (k + 1) % 3);
        const int a = std::min(i, j), b = std::max(i, j);
        auto& across = opposite.try_emplace({b - a, a}, std::array<int, 2>{-1, -1}).first->second;
        across[i < j ? 1 : 0] = triangles(t, (k + 2) % 3);
      }
    const auto x = [&](int i) -> Vector3 { return scene_.cloth.rest_positions.row(i).transpose(); };
    for (const auto& [key, across] : opposite) {
      const int a = key.second, b = a + key.first, c = across[0], d = across[1];
      edges_.push_back({a, b, (x(b) - x(a)).norm()});
      if (c >= 0 && d >= 0) bends_.push_back({a, b, c, d, angle_of(x(a), x(b), x(c), x(d))});
    }
  }

  void project(const Edge& edge) {  // [MHHR07] eq. 9, 10
    Particle& a = particles_[std::size_t(edge.a)];
    Particle& b = particles_[std::size_t(edge.b)];
    const double w = a.w + b.w;
    if (w == 0.0) return;
    const Vector3 d = b.p - a.p;
    const double length = d.norm();
    if (length == 0.0) return;
    const Vector3 correction = (stretch_ * (length - edge.rest_length) / (w * length)) * d;
    a.p += a.w * correction;
    b.p -= b.w * correction;
  }

  void project(const Bend& bend) {
    Particle& a = particles_[std::size_t(bend.a)];
    Particle& b = particles_[std::size_t(bend.b)];
    Particle& c = particles_[std::size_t(bend.c)];
    Particle& d = particles_[std::size_t(bend.d)];
    const Vector3 e = b.p - a.p, ac = c.p - a.p, ad = d.p - a.p;
    const Vector3 n1 = ac.cross(e), n2 = e.cross(ad);
    const double length = e.norm(), square1 = n1.squaredNorm(), square2 = n2.squaredNorm();
    if (square1 == 0.0 || square2 == 0.0) return;
    const double angle = std::atan2(length * n2.dot(ac), n1.dot(n2));
    const Vector3 gc = length / square1 * n1, gd = length / square2 * n2;
    const double sc = ac.dot(e) / (length * length), sd = ad.dot(e) / (length * length);
    const Vector3 gb = -sc * gc - sd * gd, ga = -(gb + gc + gd);
    const double sum =
        a.w * ga.squaredNorm() + b.w * gb.squaredNorm() + c.w * gc.squaredNorm() + d.w * gd.squaredNorm();
    if (sum == 0.0) return;
    const double s = -bend_ * (angle - bend.rest_angle) / sum;
    a.p += s * a.w * ga;
    b.p += s * b.w * gb;
    c.p += s * c.w * gc;
    d.p += s * d.w * gd;
  }

  void write_state() {
    positions_.resize(masses_.size(), 3);
    velocities_.resize(masses_.size(), 3);
    for (Eigen::Index i = 0; i < masses_.size(); ++i) {
      positions_.row(i) = particles_[std::size_t(i)].x.transpose();
      velocities_.row(i) = particles_[std::size_t(i)].v.transpose();
    }
  }

  const Scene scene_;
  const int iterations_;
  const Eigen::VectorXd masses_;
  double stretch_, bend_;  ///< k′
  std::vector<Particle> particles_;
  std::vector<Edge> edges_;
  std::vector<Bend> bends_;
  Points positions_, velocities_;
  double time_ = 0.0;
};

}  // namespace

void register_naive_pbd(Registry& registry) {
  MethodDescriptor naive;
  naive.id = "naive_pbd";
  naive.summary =
      "Position based cloth the obvious way: one constraint after the other in double precision; the yardstick of "
      "speed";
  naive.paper = {"MHHR07",
                 "M. Müller, B. Heidelberger, M. Hennix, J. Ratcliff: Position Based Dynamics, JVCIR 18(2), 2007"};
  naive.parameters = {{"iterations", "1", 10LL, "Solver iterations n_s", 1.0},
                      {"stretch_stiffness", "1", 1.0, "k of the stretch constraints, [MHHR07] §4.1", 0.0, 1.0},
                      {"bend_stiffness", "1", 0.1, "k of the bend constraints, [MHHR07] §4.1", 0.0, 1.0}};
  naive.supports = [](const Scene& scene, const Parameters&) {
    if (scene.cloth.triangle_count() == 0) return Support::no("the scene has no cloth");
    if (!scene.colliders.empty() || !scene.rigid_bodies.empty() || !scene.attachments.empty())
      return Support::no("the naive peer supports neither contacts nor rigid bodies");
    if (!scene.constraints.empty()) return Support::no("the naive peer does not support explicit constraints");
    if (!scene.heat_sources.empty()) return Support::no("the naive peer does not support heat sources");
    if (!scene.cracks.empty()) return Support::no("the naive peer does not support initial cracks");
    if (!scene.point_loads.empty() || !scene.traction_loads.empty())
      return Support::no("the naive peer supports no loads but gravity");
    if (const std::string refusal = model::roller_refusal(scene.prescribed, "the naive peers"); !refusal.empty())
      return Support::no(refusal);
    return Support::yes();
  };
  naive.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return std::make_unique<NaivePbd>(scene, parameters);
  };
  naive.known_violations = {{"angular_momentum",
                             "projections turn about predicted positions, velocities belong to those before", "PBD-08",
                             0.15}};
  registry.add(std::move(naive));
}

}  // namespace deformbench::peers
