// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/bounds_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "methods/facets.hpp"

namespace deformbench::harness {
namespace {

std::optional<std::string> not_finite(const StateView& state) {
  const auto first_bad = [](const PointsView& rows, const char* what) -> std::optional<std::string> {
    if (rows.allFinite()) return std::nullopt;
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
      if (!rows.row(i).allFinite()) return fmt::format("the {} of vertex {} is not finite", what, i);
    return std::nullopt;
  };
  if (auto bad = first_bad(state.positions, "position")) return bad;
  if (auto bad = first_bad(state.velocities, "velocity")) return bad;
  for (std::size_t b = 0; b < state.rigid_bodies.size(); ++b) {
    const RigidBodyState& body = state.rigid_bodies[b];
    if (!body.position.allFinite() || !body.orientation.allFinite())
      return fmt::format("the position of rigid body {} is not finite", b);
    if (!body.velocity.allFinite() || !body.angular_velocity.allFinite())
      return fmt::format("the velocity of rigid body {} is not finite", b);
  }
  return std::nullopt;
}

/// Whether there are planes or bodies, none of which moves as given. Without any it is time integration that makes
/// elastic energy, which experiments measure; given motions do work that the supplied energy leaves out.
bool has_only_passive_obstacles(const Scene& scene) {
  const auto moves = [](const model::RigidBody& body) {
    return body.is_kinematic() &&
           !(body.velocity.isZero(0.0) && body.angular_velocity.isZero(0.0) && body.swing.isZero(0.0));
  };
  return !(scene.colliders.empty() && scene.rigid_bodies.empty()) && std::ranges::none_of(scene.rigid_bodies, moves);
}

}  // namespace

BoundsWatch::BoundsWatch(const BodyFollower& body, const Simulation& simulation, double duration)
    : body_(body),
      bounds_(bounds_in_force(body.scene(), &simulation, duration)),
      elasticity_(has_only_passive_obstacles(body.scene()) ? find_facet<ElasticityFacet>(simulation) : nullptr),
      edges_(rest_edges(body.scene())),
      version_(body.version()) {}

std::optional<std::string> BoundsWatch::defect(const StateView& state, int substeps) {
  if (auto bad = not_finite(state)) return bad;
  if (auto bad = over_stretch(state.positions)) return bad;
  if (auto bad = over_energy(state, substeps)) return bad;
  return over_distance(state);
}

std::optional<std::string> BoundsWatch::over_stretch(const PointsView& positions) {
  if (!std::isfinite(bounds_.stretch.limit)) return std::nullopt;
  if (body_.version() != version_) {
    edges_ = rest_edges(body_.scene());
    version_ = body_.version();
  }
  double largest = 0.0;
  const RestEdge* longest = nullptr;
  for (const RestEdge& edge : edges_) {
    // Compare squares: only one square root is taken.
    const double squared =
        (positions.row(edge.a) - positions.row(edge.b)).squaredNorm() / (edge.rest_length * edge.rest_length);
    if (squared <= largest) continue;
    largest = squared;
    longest = &edge;
  }
  if (longest == nullptr || stretch(*longest, positions) <= bounds_.stretch.limit) return std::nullopt;
  return fmt::format("the edge of vertices {} and {} is {:.3g} times as long as at rest, over the bound of {:.3g}",
                     longest->a, longest->b, stretch(*longest, positions), bounds_.stretch.limit);
}

std::optional<std::string> BoundsWatch::over_energy(const StateView& state, int substeps) {
  if (!std::isfinite(bounds_.kinetic_energy.limit)) return std::nullopt;
  const double kinetic = kinetic_energy(state.masses, state.velocities, state.rigid_bodies);
  const bool is_due = std::has_single_bit(++calls_) || calls_ % kElasticEvery == 0;
  const bool asks = is_due && elasticity_ != nullptr;
  const double energy = kinetic + (asks ? elasticity_->elastic_energy(state.positions) : 0.0);
  const double supplied = bounds_.supplied.total(substeps);
  if (energy <= bounds_.kinetic_energy.limit * supplied) return std::nullopt;
  return fmt::format("{} energy {:.3g} J is over {:.3g} times the {:.3g} J supplied",
                     asks ? "kinetic and elastic" : "kinetic", energy, bounds_.kinetic_energy.limit, supplied);
}

std::optional<std::string> BoundsWatch::over_distance(const StateView& state) const {
  const double limit = bounds_.distance.limit;
  if (!std::isfinite(limit)) return std::nullopt;
  const auto over = [&](const Vector3& position, const char* what, std::size_t index) -> std::optional<std::string> {
    const double distance = bounds_.places.exteriorDistance(position);
    if (distance <= limit) return std::nullopt;
    return fmt::format("{} {} is {:.3g} m away from every place of the scene, over the bound of {:.3g} m", what, index,
                       distance, limit);
  };
  for (Eigen::Index i = 0; i < state.positions.rows(); ++i)
    if (auto bad = over(state.positions.row(i), "vertex", std::size_t(i))) return bad;
  for (std::size_t b = 0; b < state.rigid_bodies.size(); ++b)
    if (std::isfinite(state.rigid_bodies[b].mass))
      if (auto bad = over(state.rigid_bodies[b].position, "rigid body", b)) return bad;
  return std::nullopt;
}

}  // namespace deformbench::harness
