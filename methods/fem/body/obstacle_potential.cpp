// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/obstacle_potential.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "methods/model/boundary_surface.hpp"

namespace deformbench::fem {
namespace {

constexpr double kKept = 0.2;  ///< share of a distance that a move leaves

template <class T>
Vector3 place_of(const numerics::AlignedVector<T>& of, int node) {
  const T* x = of.data() + 4 * std::size_t(node);
  return {double(x[0]), double(x[1]), double(x[2])};
}

/// f for r = u/ε, in units of ε.
double slide(double r) {
  return r < 1 ? r * r * (1 - r / 3) : r - 1.0 / 3.0;
}

}  // namespace

template <class T>
double ObstaclePotential<T>::value(double y) const {
  return options_.is_penalty ? 0.5 * (1 - y) * (1 - y) : -(y - 1) * (y - 1) * std::log(y);
}

template <class T>
double ObstaclePotential<T>::slope(double y) const {
  return options_.is_penalty ? y - 1 : (1 - y) * (2 * std::log(y) - (1 - y) / y);
}

template <class T>
double ObstaclePotential<T>::curvature(double y) const {
  const double ratio = (1 - y) / y;
  return options_.is_penalty ? 1.0 : -2 * std::log(y) + ratio * (4 + ratio);
}

template <class T>
double ObstaclePotential<T>::zero_at(double distance) const {
  return std::min(options_.is_penalty ? -options_.distance : 0.0, distance - options_.distance);
}

template <class T>
ObstaclePotential<T>::ObstaclePotential(const Body<T>& body, const PotentialOptions& options)
    : body_(body), options_(options) {
  const Points& rest = body.scene.tet_mesh.rest_positions;
  if (options_.distance == 0.0)
    options_.distance = 1e-3 * (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm();
  if (options_.stiffness == 0.0)
    for (const auto& material : body.scene.materials)
      options_.stiffness = std::max(options_.stiffness, material.young_modulus);
  if (options_.friction_speed == 0.0) options_.friction_speed = options_.distance;
  for (std::size_t o = 0; o < obstacle_count(); ++o) has_friction_ |= friction(o) > 0.0;
  follow({});
}

template <class T>
void ObstaclePotential<T>::follow(std::span<const int> sources) {
  const MeshGraph& graph = body_.graph;
  const Eigen::VectorXd areas = model::contact_areas(body_.scene.tet_mesh);
  std::vector<double> area(std::size_t(graph.node_count()), 0.0);
  for (Eigen::Index v = 0; v < areas.size(); ++v) area[std::size_t(graph.vertex_to_node[std::size_t(v)])] = areas[v];
  const BodyState<T>& state = body_.state;
  for (std::size_t k = 0; k < state.prescribed.size(); ++k)
    if (state.prescribed_components[k] == numerics::kAllComponents) area[std::size_t(state.prescribed[k])] = 0.0;
  std::map<int, std::size_t> known;  // pairs of the vertices that there were
  for (std::size_t k = 0; k < vertices_.size(); ++k) known[vertices_[k]] = k;
  const std::vector<Pair> old = std::move(pairs_);
  const std::vector<double> old_areas = std::move(areas_);
  nodes_.clear(), areas_.clear(), vertices_.clear(), pairs_.clear();
  for (std::size_t i = 0; i < area.size(); ++i) {
    if (!(area[i] > 0.0)) continue;
    nodes_.push_back(int(i));
    areas_.push_back(area[i]);
    vertices_.push_back(graph.node_of[i]);
  }
  if (old.empty()) return;
  const std::size_t count = obstacle_count();
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    int vertex = vertices_[k];
    while (!known.contains(vertex) && sources[std::size_t(vertex)] != vertex) vertex = sources[std::size_t(vertex)];
    const auto found = known.find(vertex);
    for (std::size_t o = 0; o < count; ++o) {
      Pair pair;
      if (found != known.end()) {
        pair = old[found->second * count + o];
        pair.force *= areas_[k] / old_areas[found->second];
      } else {
        pair.zero = zero_at(gap(o, place_of(state.positions, nodes_[k])).distance);
      }
      pairs_.push_back(pair);
    }
  }
}

template <class T>
template <class Work>
void ObstaclePotential<T>::each_pair(Work&& work) const {
  const std::size_t count = obstacle_count();
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    for (std::size_t o = 0; o < count; ++o) work(k, o, k * count + o);
}

template <class T>
template <class Work>
void ObstaclePotential<T>::each_pair_of(int node, Work&& work) const {
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), node);
  if (found == nodes_.end() || *found != node) return;
  const std::size_t k = std::size_t(found - nodes_.begin()), count = obstacle_count();
  for (std::size_t o = 0; o < count; ++o) work(k, o, k * count + o);
}

template <class T>
std::size_t ObstaclePotential<T>::obstacle_count() const {
  return body_.scene.colliders.size() + body_.scene.rigid_bodies.size();
}

template <class T>
double ObstaclePotential<T>::friction(std::size_t obstacle) const {
  const std::size_t planes = body_.scene.colliders.size();
  return obstacle < planes ? body_.scene.colliders[obstacle].friction
                           : body_.scene.rigid_bodies[obstacle - planes].friction;
}

template <class T>
typename ObstaclePotential<T>::Gap ObstaclePotential<T>::gap(std::size_t obstacle, const Vector3& x,
                                                             bool is_end) const {
  const auto& planes = body_.scene.colliders;
  if (obstacle < planes.size()) {
    const auto& plane = planes[obstacle];
    return {plane.normal.dot(x) - plane.offset, plane.normal};
  }
  const Obstacle& solid = body_.state.obstacles()[obstacle - planes.size()];
  // A mesh belongs to surface_contact.hpp.
  if (solid.body->shape.kind == model::ShapeKind::Mesh)
    return {std::numeric_limits<double>::infinity(), Vector3::UnitY()};
  const model::Pose& pose = is_end ? solid.after : solid.before;
  Vector3 closest, normal;
  const double distance =
      model::signed_distance(solid.body->shape, pose.orientation.transpose() * (x - pose.position), closest, normal);
  return {distance, pose.orientation * normal};
}

template <class T>
typename ObstaclePotential<T>::Gap ObstaclePotential<T>::gap_of(const Pair& pair, std::size_t obstacle,
                                                                const Vector3& x) const {
  if (!pair.crossed) return gap(obstacle, x);
  return {pair.crossed->normal.dot(x) - pair.crossed->offset, pair.crossed->normal};
}

template <class T>
Vector3 ObstaclePotential<T>::carried(std::size_t obstacle, const Vector3& x) const {
  const std::size_t planes = body_.scene.colliders.size();
  if (obstacle < planes) return x;
  const Obstacle& solid = body_.state.obstacles()[obstacle - planes];
  return solid.after.position +
         solid.after.orientation * (solid.before.orientation.transpose() * (x - solid.before.position));
}

template <class T>
void ObstaclePotential<T>::begin_step(const Vector& x) {
  start_ = x;
  for (Pair& pair : pairs_) pair.crossed.reset();
  if (!pairs_.empty()) return;
  pairs_.resize(nodes_.size() * obstacle_count());
  each_pair([&](std::size_t k, std::size_t o, std::size_t p) {
    pairs_[p].zero = zero_at(gap(o, place_of(x, nodes_[k]), false).distance);
  });
}

template <class T>
double ObstaclePotential<T>::free_fraction(std::size_t obstacle, double zero, const Vector3& a,
                                           const Vector3& b) const {
  if (options_.is_penalty) return 1.0;
  const auto distance = [&](double t) { return gap(obstacle, a + t * (b - a)).distance - zero; };
  const double here = distance(0.0), least = kKept * here, there = distance(1.0);
  if (obstacle < body_.scene.colliders.size())
    return there >= least ? 1.0 : std::clamp((here - least) / (here - there), 0.0, 1.0);
  if (here - (b - a).norm() >= least) return 1.0;
  // The distance to a convex body is convex on the way.
  return first_below(distance, least).value_or(1.0);
}

template <class T>
bool ObstaclePotential<T>::hold_crossings(const Vector& x) {
  if (!options_.is_penalty) return false;
  bool has_more = false;
  const std::size_t planes = body_.scene.colliders.size();
  each_pair([&](std::size_t k, std::size_t o, std::size_t p) {
    Pair& pair = pairs_[p];
    if (o < planes || pair.crossed) return;
    const Vector3 a = carried(o, place_of(start_, nodes_[k])), b = place_of(x, nodes_[k]), way = b - a;
    const Gap from = gap(o, a);
    if (from.distance > way.norm() || !(from.normal.dot(way) < -std::max(0.0, from.distance))) return;
    Vector3 entry = a - from.distance * from.normal;  // of a vertex that starts inside: where it is nearest to leave
    Gap met = from;
    if (from.distance > 0.0) {
      const auto on_way = [&](double t) { return gap(o, a + t * way).distance; };
      const std::optional<double> t = first_below(on_way, 0.0);
      if (!t) return;
      entry = a + *t * way, met = gap(o, entry);
    }
    const Gap there = gap(o, b);
    // Within 60° it came in on the side where it would go out.
    if (there.distance < 0.0 && there.normal.dot(met.normal) > 0.5) return;
    pair.crossed = model::PlaneCollider{met.normal, met.normal.dot(entry), 0.0};
    has_more = true;
  });
  return has_more;
}

template <class T>
void ObstaclePotential<T>::bring_outside(Vector& x) const {
  const Vector given = x;
  for (int pass = 0; pass < 4; ++pass)  // out of one obstacle may be into another
    each_pair([&](std::size_t k, std::size_t o, std::size_t p) {
      const Vector3 a = carried(o, place_of(start_, nodes_[k])), b = place_of(x, nodes_[k]);
      const double t = free_fraction(o, pairs_[p].zero, a, b);
      if (t == 1.0) return;
      const Vector3 place = a + t * (b - a);
      for (std::size_t c = 0; c < 3; ++c) x[4 * std::size_t(nodes_[k]) + c] = place[Eigen::Index(c)];
    });
  body_.state.each_prescribed(
      [&](std::size_t, std::size_t node, std::size_t c) { x[4 * node + c] = given[4 * node + c]; });
}

template <class T>
double ObstaclePotential<T>::pair_energy(std::size_t k, std::size_t o, std::size_t p, const Vector3& place) const {
  const double reach = options_.distance, creep = options_.friction_speed * body_.state.time_step;
  double sum = 0.0;
  const double y = (gap_of(pairs_[p], o, place).distance - pairs_[p].zero) / reach;
  if (!(y > 0.0) && !options_.is_penalty)
    sum = std::numeric_limits<double>::infinity();
  else if (y < 1.0)
    sum = areas_[k] * options_.stiffness * reach * value(y);
  if (!(pairs_[p].force > 0.0)) return sum;
  Vector3 u = place - carried(o, place_of(start_, nodes_[k]));
  u -= pairs_[p].normal.dot(u) * pairs_[p].normal;
  return sum + friction(o) * pairs_[p].force * creep * slide(u.norm() / creep);
}

template <class T>
double ObstaclePotential<T>::energy(const Vector& x) const {
  double sum = 0.0;
  each_pair([&](std::size_t k, std::size_t o, std::size_t p) { sum += pair_energy(k, o, p, place_of(x, nodes_[k])); });
  return sum;
}

template <class T>
double ObstaclePotential<T>::energy_of(int node, const Vector3& place) const {
  double sum = 0.0;
  each_pair_of(node, [&](std::size_t k, std::size_t o, std::size_t p) { sum += pair_energy(k, o, p, place); });
  return sum;
}

template <class T>
bool ObstaclePotential<T>::add_pair(std::size_t k, std::size_t o, std::size_t p, const Vector3& place, double damping,
                                    Vector3& force, Matrix3& block) const {
  const double reach = options_.distance, creep = options_.friction_speed * body_.state.time_step;
  const Gap there = gap_of(pairs_[p], o, place);
  const double y = (there.distance - pairs_[p].zero) / reach;
  if (y < 1.0) {
    const double share = areas_[k] * options_.stiffness;
    force -= share * slope(y) * there.normal;
    // The curvature of a convex body's distance times the slope of b is negative semidefinite: left out.
    block += share / reach * curvature(y) * there.normal * there.normal.transpose();
  }
  if (pairs_[p].force > 0.0) {
    const Matrix3 across = Matrix3::Identity() - pairs_[p].normal * pairs_[p].normal.transpose();
    const Vector3 u = across * (place - carried(o, place_of(start_, nodes_[k])));
    const double length = u.norm(), r = length / creep, grip = friction(o) * pairs_[p].force;
    const double secant = r < 1 ? (2 - r) / creep : 1.0 / length;  // f'/|u|
    force -= grip * secant * u;
    block += grip * secant * across;
    const double along = std::max(r < 1 ? 2 * (1 - r) / creep : 0.0, damping * secant);
    if (r > 0.0) block -= grip * (secant - along) / (length * length) * u * u.transpose();
  }
  return y < 1.0;
}

template <class T>
bool ObstaclePotential<T>::add_force(int node, const Vector3& place, Vector3& force, Matrix3& block) const {
  bool is_near = false;
  each_pair_of(node, [&](std::size_t k, std::size_t o, std::size_t p) {
    is_near |= add_pair(k, o, p, place, 0.0, force, block);
  });
  return is_near;
}

template <class T>
double ObstaclePotential<T>::add_forces(const Vector& x, Vector& forces, std::vector<NodeBlock>& blocks,
                                        double damping) const {
  double largest = 0.0;
  blocks.clear();
  each_pair([&](std::size_t k, std::size_t o, std::size_t p) {
    Vector3 force = Vector3::Zero();
    Matrix3 block = Matrix3::Zero();
    add_pair(k, o, p, place_of(x, nodes_[k]), damping, force, block);
    if (block.isZero(0.0)) return;
    for (std::size_t c = 0; c < 3; ++c) forces[4 * std::size_t(nodes_[k]) + c] += force[Eigen::Index(c)];
    largest = std::max(largest, block.cwiseAbs().maxCoeff());
    if (!blocks.empty() && blocks.back().node == nodes_[k])
      blocks.back().block += block;
    else
      blocks.push_back({nodes_[k], block});
  });
  return largest;
}

template <class T>
double ObstaclePotential<T>::longest_move(const Vector& x, const Vector& move) const {
  double longest = 1.0;
  each_pair([&](std::size_t k, std::size_t o, std::size_t p) {
    const Vector3 a = place_of(x, nodes_[k]);
    longest = std::min(longest, free_fraction(o, pairs_[p].zero, a, a + place_of(move, nodes_[k])));
  });
  return longest;
}

template <class T>
double ObstaclePotential<T>::hold_friction(const Vector& x) {
  double change = 0.0, sum = 0.0;
  each_pair([&](std::size_t k, std::size_t o, std::size_t p) {
    Pair& pair = pairs_[p];
    if (friction(o) == 0.0) return;
    const double before = pair.force;
    pair.force = 0.0;
    const Gap there = gap_of(pair, o, place_of(x, nodes_[k]));
    const double y = (there.distance - pair.zero) / options_.distance;
    if (y < 1.0) pair.force = -areas_[k] * options_.stiffness * slope(y), pair.normal = there.normal;
    change += std::abs(pair.force - before), sum += pair.force;
  });
  return sum > 0.0 ? change / sum : change;
}

template <class T>
void ObstaclePotential<T>::finish_step(const Vector& x) {
  each_pair([&](std::size_t k, std::size_t o, std::size_t p) {
    Pair& pair = pairs_[p];
    pair.zero = std::max(pair.zero, zero_at(gap(o, place_of(x, nodes_[k])).distance));
  });
}

template class ObstaclePotential<float>;
template class ObstaclePotential<double>;

}  // namespace deformbench::fem
