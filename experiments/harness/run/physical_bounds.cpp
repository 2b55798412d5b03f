// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/physical_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "experiments/harness/probes/body_measures.hpp"
#include "experiments/harness/probes/cloth_edges.hpp"
#include "experiments/harness/run/schedule.hpp"
#include "methods/facets.hpp"
#include "methods/model/disjoint_sets.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

/// Maximum number of time samples of a prescribed motion.
constexpr int kMotionSamples = 256;

double square(double value) {
  return value * value;
}

/// A connected component: vertices that share elements, constraints or attachments, and the rigid bodies attached to
/// them.
struct Piece {
  double mass = 0.0;                ///< kg, without kinematic bodies
  Eigen::AlignedBox3d box;          ///< at the start
  Eigen::AlignedBox3d rest;         ///< of its vertices at rest and its bodies at the start
  Vector3 drift = Vector3::Zero();  ///< m, mean over vertices of start − rest
  int vertices = 0;
  bool is_held = false;
  double speed = 0.0;         ///< m/s, maximum at the start
  double load = 0.0;          ///< N, Σ |F|
  double strain = 0.0;        ///< largest |C| / rest length of a distance constraint at the start
  double violation = 0.0;     ///< m, of other constraints violated at the start: their size
  double displacement = 0.0;  ///< m, maximum of |start − rest − drift|
  bool is_closed = false;     ///< cloth without boundary

  double size() const {
    return std::max(rest.isEmpty() ? 0.0 : rest.diagonal().norm(), box.isEmpty() ? 0.0 : box.diagonal().norm());
  }
};

class Pieces {
 public:
  Pieces(const Scene& scene, bool comes_apart)
      : scene_(scene),
        vertices_(int(scene.vertex_count())),
        index_(std::size_t(vertices_) + scene.rigid_bodies.size(), -1),
        sets_(index_.size()) {
    const auto unite_rows = [&](const auto& rows) {
      for (Eigen::Index r = 0; r < rows.rows(); ++r)
        for (Eigen::Index k = 1; k < rows.cols(); ++k) sets_.unite(rows(r, 0), rows(r, k));
    };
    unite_rows(scene.tet_mesh.tetrahedra);
    unite_rows(scene.cloth.triangles);
    for (const auto& c : scene.constraints)
      for (int k = 1; k < model::type_of(c.kind).cardinality; ++k)
        sets_.unite(c.vertices[0], c.vertices[std::size_t(k)]);
    for (const auto& attachment : scene.attachments) sets_.unite(attachment.vertex, vertices_ + attachment.body);
    gather_vertices();
    gather_bodies();
    if (!comes_apart) mark_held();
    gather_loads();
    gather_violations();
  }

  std::vector<Piece>& all() { return pieces_; }
  double mass() const {
    double sum = 0.0;
    for (const Piece& piece : pieces_) sum += piece.mass;
    return sum;
  }

 private:
  Piece& of(int i) {
    int& index = index_[std::size_t(sets_.root(i))];
    if (index < 0) {
      index = int(pieces_.size());
      pieces_.emplace_back();
    }
    return pieces_[std::size_t(index)];
  }

  void gather_vertices() {
    const Points& rest = scene_.rest_positions();
    const Points start = scene_.start_positions(), velocities = scene_.start_velocities();
    const Eigen::VectorXd masses = vertices_ > 0 ? lumped_masses(scene_) : Eigen::VectorXd();
    for (int v = 0; v < vertices_; ++v) {
      Piece& piece = of(v);
      piece.mass += masses[v];
      piece.box.extend(start.row(v).transpose());
      piece.rest.extend(rest.row(v).transpose());
      piece.drift += (start.row(v) - rest.row(v)).transpose();
      piece.speed = std::max(piece.speed, velocities.row(v).norm());
      ++piece.vertices;
    }
    for (Piece& piece : pieces_) piece.drift /= piece.vertices;
    for (int v = 0; v < vertices_; ++v) {
      Piece& piece = of(v);
      piece.displacement =
          std::max(piece.displacement, ((start.row(v) - rest.row(v)).transpose() - piece.drift).norm());
    }
    const ClothPieces cloths = cloth_pieces(scene_.cloth.triangles);
    for (std::size_t t = 0; t < cloths.piece.size(); ++t)
      if (cloths.is_closed[std::size_t(cloths.piece[t])])
        of(scene_.cloth.triangles(Eigen::Index(t), 0)).is_closed = true;
  }

  void gather_bodies() {
    for (std::size_t b = 0; b < scene_.rigid_bodies.size(); ++b) {
      const model::RigidBody& body = scene_.rigid_bodies[b];
      if (body.is_kinematic()) continue;
      Piece& piece = of(vertices_ + int(b));
      piece.mass += body.mass;
      const model::TriangleMesh surface = model::surface_of(body.shape);
      for (Eigen::Index i = 0; i < surface.vertex_count(); ++i) {
        const Vector3 corner = body.start.position + body.start.orientation * surface.positions.row(i).transpose();
        piece.box.extend(corner);
        piece.rest.extend(corner);
      }
      piece.speed = std::max(piece.speed, body.velocity.norm());
    }
  }

  void mark_held() {
    for (const auto& motion : scene_.prescribed)
      for (const int v : motion.vertices) of(v).is_held |= motion.is_whole();  // on rollers a piece may still move
    for (const auto& attachment : scene_.attachments)
      if (scene_.rigid_bodies[std::size_t(attachment.body)].is_kinematic()) of(attachment.vertex).is_held = true;
  }

  void gather_loads() {
    for (const auto& load : scene_.point_loads) of(load.vertex).load += load.ramp.largest() * load.force.norm();
    const Points& rest = scene_.rest_positions();
    for (const auto& load : scene_.traction_loads)
      for (Eigen::Index t = 0; t < load.triangles.rows(); ++t) {
        const Vector3 a = rest.row(load.triangles(t, 0)), b = rest.row(load.triangles(t, 1)),
                      c = rest.row(load.triangles(t, 2));
        of(load.triangles(t, 0)).load += 0.5 * (b - a).cross(c - a).norm() * load.ramp.largest() * load.traction.norm();
      }
  }

  void gather_violations() {
    const Points start = scene_.start_positions();
    for (const auto& c : scene_.constraints) {
      const double value = model::constraint_value(c, start);
      if (value == 0.0 || (c.is_inequality && value > 0.0)) continue;
      Piece& piece = of(c.vertices[0]);
      if (c.kind == model::ConstraintKind::Distance && c.rest_value > 0.0) {
        piece.strain = std::max(piece.strain, std::abs(value) / c.rest_value);
        continue;
      }
      Eigen::AlignedBox3d room;
      for (int k = 0; k < model::type_of(c.kind).cardinality; ++k)
        room.extend(start.row(c.vertices[std::size_t(k)]).transpose());
      piece.violation = std::max(piece.violation, room.diagonal().norm());
    }
  }

  const Scene& scene_;
  int vertices_;
  std::vector<int> index_;    ///< piece index, stored at the representative of its set; −1: not visited
  model::DisjointSets sets_;  ///< vertices, then rigid bodies
  std::vector<Piece> pieces_;
};

/// Prescribed motions: places, speed and reach.
struct Driven {
  Eigen::AlignedBox3d places;
  double speed = 0.0;  ///< m/s
  double reach = 0.0;  ///< m, largest distance from the start, plus the size of rotating bodies
};

Driven driven_by(const Scene& scene, double duration) {
  Driven driven;
  const double dt = scene.time_step;
  const Points start = scene.start_positions();
  const int steps = int(std::min(std::ceil(duration / dt), 1e9));
  const int samples = std::min(steps, kMotionSamples);
  for (const auto& motion : scene.prescribed) {
    const bool moves = motion.angle != 0.0 || !motion.translation.isZero(0.0);
    const double end = std::min(duration, motion.ramp.end + dt);
    for (std::size_t k = 0; k < motion.vertices.size(); ++k) {
      const Vector3 rest = scene.rest_positions().row(motion.vertices[k]), from = start.row(motion.vertices[k]);
      const Vector3 first = motion.position_at(k, rest, dt);
      driven.places.extend(first);
      driven.speed = std::max(driven.speed, (first - from).norm() / dt);  // vertices that start elsewhere jump there
      driven.reach = std::max(driven.reach, (first - from).norm());
      const auto& table = motion.ramp.table;
      for (int s = 1; moves && s <= samples + int(table.size()); ++s) {
        // Speed over one step before each sample: a ramp, or a segment of a table, may be shorter than the sample
        // spacing.
        const double time =
            s <= samples ? std::max(dt, end * s / samples) : std::max(dt, table[std::size_t(s - samples - 1)][0] + dt);
        if (s > samples && time > duration) break;
        const Vector3 here = motion.position_at(k, rest, time);
        driven.places.extend(here);
        driven.speed = std::max(driven.speed, (here - motion.position_at(k, rest, time - dt)).norm() / dt);
        driven.reach = std::max(driven.reach, (here - from).norm());
      }
    }
  }
  for (const auto& body : scene.rigid_bodies) {
    if (!body.is_kinematic()) continue;
    const double radius = model::surface_of(body.shape).positions.rowwise().norm().maxCoeff();
    const double turning = body.angular_velocity.norm() * radius;
    const double swinging = body.swing.norm() * 2.0 * std::numbers::pi / body.swing_period;
    driven.speed = std::max(driven.speed, body.velocity.norm() + turning + swinging);
    for (int s = 0; s <= samples; ++s) {
      const Vector3 at = body.pose_at(duration * s / std::max(samples, 1)).position;
      driven.places.extend((at.array() - radius).matrix()).extend((at.array() + radius).matrix());
      driven.reach = std::max(driven.reach, (at - body.start.position).norm() + (turning > 0.0 ? 2.0 * radius : 0.0));
    }
  }
  return driven;
}

/// Largest elastic energy with held vertices at their prescribed places and all others at the start.
double elastic_energy_of(const Scene& scene, const ElasticityFacet& elasticity, double duration) {
  Points positions = scene.start_positions();
  double largest = elasticity.elastic_energy(positions);
  const double end = std::min(duration, last_ramp_end(scene));
  for (int s = 0; s <= 8; ++s) {
    place_prescribed(scene, end * s / 8, positions);
    largest = std::max(largest, elasticity.elastic_energy(positions));
  }
  return largest;
}

/// Fall height of a piece onto planes normal to gravity; infinite without such planes.
double height_over_floor(const Scene& scene, const Piece& piece) {
  double height = std::numeric_limits<double>::infinity();
  const Vector3 up = -scene.gravity.normalized();
  for (const auto& plane : scene.colliders) {
    if (plane.normal.dot(up) < 0.999) continue;  // on slopes the piece slides on
    double highest = 0.0;
    for (int corner = 0; corner < 8; ++corner)
      highest =
          std::max(highest, plane.normal.dot(piece.box.corner(Eigen::AlignedBox3d::CornerType(corner))) - plane.offset);
    height = std::min(height, highest);
  }
  return height;
}

double start_energy(const Scene& scene) {
  std::vector<RigidBodyState> bodies;
  for (const auto& body : scene.rigid_bodies)
    if (!body.is_kinematic())
      bodies.push_back({body.mass, model::solid_inertia(body.shape, body.mass), body.start.position,
                        body.start.orientation, body.velocity, body.angular_velocity});
  if (scene.vertex_count() == 0) return kinetic_energy(Eigen::VectorXd(), Points(0, 3), bodies);
  return kinetic_energy(lumped_masses(scene), scene.start_velocities(), bodies);
}

model::Bound checked(const std::optional<model::Bound>& own, model::Bound derived, const char* name,
                     const Scene& scene) {
  if (!own) return derived;
  if (own->limit > 0.0 && !own->because.empty()) return *own;
  throw InputError(fmt::format("scene '{}': its bound of {} is {} because '{}', expected a number > 0 and a reason",
                               scene.name, name, own->limit, own->because));
}

}  // namespace

BoundsInForce bounds_in_force(const Scene& scene, const Simulation* simulation, double duration) {
  const auto* elasticity = simulation ? find_facet<ElasticityFacet>(*simulation) : nullptr;
  const bool comes_apart = simulation && find_facet<TopologyFacet>(*simulation);
  const double dt = scene.time_step, g = scene.gravity.norm();
  BoundsInForce bounds;
  bounds.stretch = checked(
      scene.bounds.stretch,
      {kLargestStretch, "ten times the some hundredfold stretch of the most extensible solids known, hydrogels"},
      "stretch", scene);
  bounds.kinetic_energy =
      checked(scene.bounds.kinetic_energy, {kEnergyFactor, "a factor of three in speed over all that is supplied"},
              "kinetic energy", scene);

  Pieces pieces(scene, comes_apart);
  const Driven driven = driven_by(scene, duration);
  bounds.places = driven.places;
  SuppliedEnergy& supplied = bounds.supplied;
  supplied.start = start_energy(scene);
  if (elasticity != nullptr) supplied.elastic = elastic_energy_of(scene, *elasticity, duration);
  double farthest = 0.0, lightest = std::numeric_limits<double>::infinity();
  for (const Piece& piece : pieces.all()) {
    bounds.places.extend(piece.box).extend(piece.rest);
    // First-order integrators fall g t (t + Δt) / 2. A held piece falls at most as far as it can stretch.
    const double fall = duration * piece.speed + 0.5 * g * duration * (duration + dt);
    const double reach = std::min(kLargestStretch, bounds.stretch.limit) * piece.size();
    double drop = piece.is_held ? std::min(fall, reach) : fall;
    if (g > 0.0) drop = std::min(drop, height_over_floor(scene, piece));
    const double pushed = fall + 0.5 * piece.load / piece.mass * duration * (duration + dt);
    supplied.gravity += piece.mass * g * drop;
    supplied.loads += piece.load * (piece.is_held ? std::min(pushed, reach) : pushed);
    if (elasticity == nullptr) {
      const double off = piece.displacement + piece.strain * piece.size() + piece.violation +
                         (piece.is_closed ? 0.5 * piece.size() : 0.0);
      supplied.correction += 0.5 * piece.mass * square(off / dt);
    }
    farthest = std::max(farthest, reach);
    if (!piece.is_held) lightest = std::min(lightest, piece.mass);
  }
  if (comes_apart && scene.particles.is_solid()) {  // nodes are inserted within the supports of others
    const Vector3 support = Vector3::Constant(scene.particles.supports.maxCoeff());
    const Eigen::AlignedBox3d nodes = bounds.places;
    bounds.places.extend(nodes.min() - support).extend(nodes.max() + support);
  }
  const double mass = pieces.mass(), size = bounds.places.isEmpty() ? 0.0 : bounds.places.diagonal().norm();
  // A wall with speed w accelerates bodies to at most 2w.
  supplied.driven = 0.5 * mass * square(2.0 * driven.speed) + mass * g * driven.reach;
  supplied.rounding = 0.5 * mass * square(kRoundedMotion * size / dt);
  // At most the stretched size of a held piece, or the path of a free piece at the speed given by the energy.
  if (std::isfinite(lightest)) farthest += duration * std::sqrt(2.0 * kEnergyFactor * supplied.total(1) / lightest);
  bounds.distance =
      checked(scene.bounds.distance,
              {farthest,
               "the size of the largest piece times the bound of stretch; free pieces farther by the run's "
               "duration at the speed that ten times the energy supplied gives the lightest"},
              "distance", scene);
  return bounds;
}

void write_bounds(TraceWriter& writer, const BoundsInForce& bounds) {
  const auto write = [&](const std::string& name, double value, const std::string& unit,
                         const std::string& description) {
    writer.scene_array(name, std::span<const double>(&value, 1), {1}, unit, description);
  };
  const auto write_bound = [&](const std::string& name, const model::Bound& bound, const std::string& unit,
                               const std::string& of) {
    write(name, bound.limit, unit,
          (std::isfinite(bound.limit) ? "A run is diverged over this " : "No bound on the ") + of + ": " +
              bound.because + ".");
  };
  write_bound("bound_distance", bounds.distance, "m", "distance of a vertex or rigid body from bound_box");
  write_bound("bound_stretch", bounds.stretch, "1", "length over rest length of an edge or distance constraint");
  write_bound("bound_kinetic_energy", bounds.kinetic_energy, "1",
              "ratio of kinetic energy to supplied_energy + substeps² · correction_energy");
  const Vector3 low = bounds.places.min(), high = bounds.places.max();
  const std::array<double, 6> box{low.x(), low.y(), low.z(), high.x(), high.y(), high.z()};
  writer.scene_array("bound_box", std::span<const double>(box), {2, 3}, "m",
                     "Box of all places where the scene puts anything.");
  const SuppliedEnergy& s = bounds.supplied;
  write("supplied_energy", s.total(0), "J",
        fmt::format("What can be turned into motion: {:.4g} J moving at the start, {:.4g} J elastic, {:.4g} J of "
                    "gravity, {:.4g} J of loads, "
                    "{:.4g} J of given motions, {:.4g} J of rounding.",
                    s.start, s.elastic, s.gravity, s.loads, s.driven, s.rounding));
  write("correction_energy", s.correction, "J",
        "Where the method states no elastic energy: of moving the body in one step by what its start is off rest "
        "shape and constraints.");
}

}  // namespace deformbench::harness
