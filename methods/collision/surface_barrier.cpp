// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/surface_barrier.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "methods/numerics/team.hpp"

namespace deformbench::collision {
namespace {

constexpr double kPartOfWay = 0.8;        // of the time to contact, that a move takes
constexpr double kMollifierShare = 1e-3;  // of |u|²|w|² at rest, [LFSLZPJK20] §2.2

double barrier(double y) {
  return -(y - 1) * (y - 1) * std::log(y);
}
double barrier_slope(double y) {
  return (1 - y) * (2 * std::log(y) - (1 - y) / y);
}
double barrier_curvature(double y) {
  const double ratio = (1 - y) / y;
  return -2 * std::log(y) + ratio * (4 + ratio);
}

Vector3 at(const Points& x, int vertex) {
  return x.row(vertex).transpose();
}
std::array<Vector3, 4> corners_at(const Points& x, const std::array<int, 4>& vertices) {
  return {at(x, vertices[0]), at(x, vertices[1]), at(x, vertices[2]), at(x, vertices[3])};
}
template <std::size_t N>
bool contains(const std::array<int, N>& vertices, int vertex) {
  return std::find(vertices.begin(), vertices.end(), vertex) != vertices.end();
}

/// The positive semidefinite part.
Matrix12 projected(const Matrix12& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix12> eigen(0.5 * (a + a.transpose()));
  if (eigen.eigenvalues()[0] >= 0.0) return a;
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
}

/// Index of a sorted pair in a sorted list.
int index_of(const std::vector<std::array<int, 2>>& edges, int a, int b) {
  const std::array<int, 2> edge = {std::min(a, b), std::max(a, b)};
  return int(std::lower_bound(edges.begin(), edges.end(), edge) - edges.begin());
}

}  // namespace

SurfaceBarrier::SurfaceBarrier(const Points& rest, const Triangles& triangles, std::vector<char> is_held,
                               const BarrierOptions& options)
    : options_(options),
      candidates_(rest.rows(), triangles, true, true, options.threads),
      is_held_(std::move(is_held)),
      areas_(std::size_t(rest.rows()), 0.0) {
  is_held_.resize(areas_.size(), 0);
  const auto& edges = candidates_.edges();
  edge_triangles_.resize(edges.size());
  vertex_triangles_.resize(areas_.size());
  vertex_edges_.resize(areas_.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    edge_squares_.push_back((at(rest, edges[e][0]) - at(rest, edges[e][1])).squaredNorm());
    for (const int vertex : edges[e]) vertex_edges_[std::size_t(vertex)].push_back(int(e));
  }
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    const std::array<int, 3> corners = {triangles(t, 0), triangles(t, 1), triangles(t, 2)};
    const Vector3 a = at(rest, corners[0]);
    const double third = (at(rest, corners[1]) - a).cross(at(rest, corners[2]) - a).norm() / 6.0;
    triangles_.push_back(corners), triangle_edges_.push_back({});
    for (std::size_t k = 0; k < 3; ++k) {
      const int edge = index_of(edges, corners[k], corners[(k + 1) % 3]);
      triangle_edges_.back()[k] = edge;
      edge_triangles_[std::size_t(edge)].push_back(int(t));
      vertex_triangles_[std::size_t(corners[k])].push_back(int(t));
      areas_[std::size_t(corners[k])] += third;
    }
  }
}

void SurfaceBarrier::begin_step(const Points& start, double creep) {
  start_ = start;
  creep_ = creep;
}

bool SurfaceBarrier::are_held(const std::array<int, 4>& vertices) const {
  return std::all_of(vertices.begin(), vertices.end(), [&](int v) { return is_held_[std::size_t(v)] != 0; });
}

double SurfaceBarrier::area_of(int point, int other) const {
  const double area = areas_[std::size_t(point)];
  if (is_obstacle(other)) return area;
  return is_obstacle(point) ? std::min(0.5 * area, options_.distance * options_.distance) : 0.5 * area;
}

double SurfaceBarrier::friction_of(const std::array<int, 4>& vertices) const {
  const std::size_t bodies = areas_.size() - options_.obstacle_friction.size();
  for (const int vertex : vertices)
    if (is_obstacle(vertex)) return options_.obstacle_friction[std::size_t(vertex) - bodies];
  return options_.friction;
}

bool SurfaceBarrier::has_friction() const {
  const auto& given = options_.obstacle_friction;
  return options_.friction > 0.0 || std::any_of(given.begin(), given.end(), [](double mu) { return mu > 0.0; });
}

int SurfaceBarrier::triangles_at(int edge, int point) const {
  const auto& around = edge_triangles_[std::size_t(edge)];
  return int(
      std::count_if(around.begin(), around.end(), [&](int t) { return !contains(triangles_[std::size_t(t)], point); }));
}

/// 1 − n + Σ (n_e − 1) over the n triangles and the edges at the vertex that do not contain the point: with it the
/// coefficients of the vertex, its edges and its triangles sum to 1.
int SurfaceBarrier::vertex_coefficient(int vertex, int point) const {
  int sum = 1;
  for (const int t : vertex_triangles_[std::size_t(vertex)]) sum -= !contains(triangles_[std::size_t(t)], point);
  for (const int e : vertex_edges_[std::size_t(vertex)])
    if (!contains(candidates_.edges()[std::size_t(e)], point)) sum += std::max(0, triangles_at(e, point) - 1);
  return sum;
}

template <class Work>
void SurfaceBarrier::each_feature(const Points& x, int point, std::span<const NearTriangle> near, Work&& work) const {
  struct Feature {
    std::array<int, 3> key;  // vertices in ascending order, after −1
    Term term;
    int coefficient;
  };
  const double reach = options_.distance;
  std::vector<Feature> features;
  const auto add = [&](const std::array<int, 4>& vertices, const Closest& closest, double distance, int coefficient) {
    std::array<int, 3> key = {-1, -1, -1};
    for (std::size_t k = 0; k < 3; ++k)
      if (closest.weights[k + 1] != 0.0) key[k] = vertices[k + 1];
    std::sort(key.begin(), key.end());
    for (Feature& known : features)
      if (known.key == key) {
        known.coefficient += coefficient;
        return;
      }
    features.push_back({key, {vertices, corners_at(x, vertices), closest, distance, 0.0}, coefficient});
  };
  std::vector<int> edges, vertices;
  for (const NearTriangle& one : near) {
    const std::array<int, 3>& t = triangles_[std::size_t(one.triangle)];
    add({point, t[0], t[1], t[2]}, one.closest, one.distance, 1);
    edges.insert(edges.end(), triangle_edges_[std::size_t(one.triangle)].begin(),
                 triangle_edges_[std::size_t(one.triangle)].end());
    vertices.insert(vertices.end(), t.begin(), t.end());
  }
  for (std::vector<int>* list : {&edges, &vertices}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  const Vector3 p = at(x, point);
  const auto near_simplex = [&](const std::array<int, 4>& of, int coefficient) {
    if (coefficient == 0 || are_held(of)) return;
    // The nearest point of a triangle that has shrunk to an edge or a vertex.
    const Vector3 a = at(x, of[1]), along = at(x, of[2]) - a;
    const double squared = along.squaredNorm();
    const double s = squared > 0.0 ? std::clamp(along.dot(p - a) / squared, 0.0, 1.0) : 0.0;
    Closest closest{(p - a) - s * along, {1.0, s - 1.0, -s, 0.0}, Vector3::Zero()};
    if (!(closest.difference.squaredNorm() < reach * reach)) return;
    closest = closest_points(PairKind::PointTriangle, {p, a, a + along, a + along});  // with an accurate direction
    closest.weights = {1.0, s - 1.0, -s, 0.0};
    add(of, closest, closest.difference.norm(), coefficient);
  };
  for (const int e : edges) {
    const std::array<int, 2>& edge = candidates_.edges()[std::size_t(e)];
    if (!contains(edge, point))
      near_simplex({point, edge[0], edge[1], edge[1]}, 1 - std::max(1, triangles_at(e, point)));
  }
  for (const int v : vertices) near_simplex({point, v, v, v}, vertex_coefficient(v, point));
  for (Feature& feature : features) {
    if (feature.coefficient == 0) continue;
    feature.term.area = area_of(point, feature.term.vertices[1]) * feature.coefficient;
    work(feature.term);
  }
}

template <class Work>
void SurfaceBarrier::each_term(const Points& x, Work&& work) const {
  const double reach = options_.distance;
  std::vector<NearTriangle> near;
  for (std::size_t k = 0; k < pairs_.size();) {
    const std::array<int, 4> first = candidates_.vertices(pairs_[k]);
    if (pairs_[k].kind == PairKind::EdgeEdge) {
      const std::array<Vector3, 4> corners = corners_at(x, first);
      const Closest closest = closest_points(PairKind::EdgeEdge, corners);
      const double distance = distance_between(corners, closest);
      if (distance < reach && !are_held(first)) {
        const double threshold = kMollifierShare * edge_squares_[std::size_t(pairs_[k].first)] *
                                 edge_squares_[std::size_t(pairs_[k].second)];
        work(Term{first, corners, closest, distance, reach * reach, threshold});
      }
      ++k;
      continue;
    }
    near.clear();
    const int point = first[0], number = pairs_[k].first;
    for (; k < pairs_.size() && pairs_[k].kind == PairKind::PointTriangle && pairs_[k].first == number; ++k) {
      const std::array<int, 4> vertices = candidates_.vertices(pairs_[k]);
      const std::array<Vector3, 4> corners = corners_at(x, vertices);
      const Closest closest = closest_points(PairKind::PointTriangle, corners);
      const double distance = distance_between(corners, closest);
      if (distance < reach && !are_held(vertices)) near.push_back({pairs_[k].second, closest, distance});
    }
    if (near.size() == 1)  // an edge or a vertex that several triangles share is within reach with all of them
      work(Term{candidates_.vertices({PairKind::PointTriangle, number, near[0].triangle}),
                corners_at(x, candidates_.vertices({PairKind::PointTriangle, number, near[0].triangle})),
                near[0].closest, near[0].distance, area_of(point, triangles_[std::size_t(near[0].triangle)][0])});
    else if (!near.empty())
      each_feature(x, point, near, work);
  }
}

double SurfaceBarrier::energy(const Points& x) const {
  const double reach = options_.distance, scale = options_.stiffness * reach;
  double sum = 0.0;
  each_term(x, [&](const Term& term) {
    const double m = term.threshold > 0.0 ? edge_mollifier(term.x, term.threshold).value : 1.0;
    if (m > 0.0) sum += scale * term.area * m * barrier(term.distance / reach);
  });
  for (const Grip& grip : grips_) {
    const double r = sliding(grip, x).norm() / creep_;
    sum += grip.force * creep_ * (r < 1 ? r * r * (1 - r / 3) : r - 1.0 / 3.0);
  }
  return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
}

double SurfaceBarrier::add_forces(const Points& x, Points& forces, std::vector<PairBlock>& blocks,
                                  double damping) const {
  const double reach = options_.distance, scale = options_.stiffness * reach;
  double total = 0.0;
  blocks.clear();
  const auto add = [&](const std::array<int, 4>& vertices, const Vector12& gradient, const Matrix12& block) {
    for (std::size_t i = 0; i < 4; ++i) forces.row(vertices[i]) -= gradient.segment<3>(3 * Eigen::Index(i)).transpose();
    total += gradient.norm();
    blocks.push_back({vertices, block});
  };
  each_term(x, [&](const Term& term) {
    const double y = term.distance / reach, share = scale * term.area;
    const TwiceDerived d = distance_derivatives(term.x, term.closest);
    const double first = share * barrier_slope(y) / reach, second = share * barrier_curvature(y) / (reach * reach);
    Vector12 gradient = first * d.gradient;
    Matrix12 block = second * d.gradient * d.gradient.transpose() + first * d.hessian;
    if (term.threshold > 0.0) {
      const TwiceDerived m = edge_mollifier(term.x, term.threshold);
      if (m.value == 0.0) return;
      if (m.value < 1.0) {
        const double b = share * barrier(y);
        block = m.value * block + b * m.hessian + m.gradient * gradient.transpose() + gradient * m.gradient.transpose();
        gradient = m.value * gradient + b * m.gradient;
      }
    }
    add(term.vertices, gradient, projected(block));
  });
  for (const Grip& grip : grips_) {
    const Matrix3 across = Matrix3::Identity() - grip.normal * grip.normal.transpose();
    const Vector3 u = sliding(grip, x);
    const double length = u.norm(), r = length / creep_;
    const double secant = r < 1 ? (2 - r) / creep_ : 1.0 / length;
    const double along = std::max(r < 1 ? 2 * (1 - r) / creep_ : 0.0, damping * secant);
    Matrix3 curvature = secant * across;
    if (r > 0.0) curvature -= (secant - along) / (length * length) * u * u.transpose();
    Vector12 gradient;
    Matrix12 block;
    for (std::size_t i = 0; i < 4; ++i) {
      gradient.segment<3>(3 * Eigen::Index(i)) = grip.weights[i] * grip.force * secant * u;
      for (std::size_t j = 0; j < 4; ++j)
        block.block<3, 3>(3 * Eigen::Index(i), 3 * Eigen::Index(j)) =
            grip.weights[i] * grip.weights[j] * grip.force * curvature;
    }
    add(grip.vertices, gradient, block);
  }
  return total;
}

Vector3 SurfaceBarrier::sliding(const Grip& grip, const Points& x) const {
  Vector3 u = Vector3::Zero();
  for (std::size_t i = 0; i < 4; ++i) u += grip.weights[i] * (at(x, grip.vertices[i]) - at(start_, grip.vertices[i]));
  return u - grip.normal.dot(u) * grip.normal;
}

double SurfaceBarrier::hold_friction(const Points& x) {
  if (!has_friction()) return 0.0;
  Points pushes = Points::Zero(x.rows(), 3);
  grips_.clear();
  // The features of a point share its normal force. Above a concave surface they overlap, and those with a negative
  // coefficient, which have no sliding of their own, take back what the others have twice.
  int point = -1;
  std::size_t first = 0;
  double sum = 0.0, positive = 0.0;
  const auto share = [&] {
    for (std::size_t k = first; k < grips_.size(); ++k) grips_[k].force *= std::max(0.0, sum / positive);
  };
  each_term(x, [&](const Term& term) {
    double force = -options_.stiffness * term.area * barrier_slope(term.distance / options_.distance);
    const bool is_of_edges = term.threshold > 0.0;
    if (is_of_edges) force *= edge_mollifier(term.x, term.threshold).value;
    if (is_of_edges || term.vertices[0] != point) {
      share();
      point = is_of_edges ? -1 : term.vertices[0];
      first = grips_.size(), sum = positive = 0.0;
    }
    sum += force;
    for (std::size_t i = 0; i < 4; ++i)
      pushes.row(term.vertices[i]) += force * term.closest.weights[i] * term.closest.direction.transpose();
    if (!(force > 0.0)) return;
    positive += force;
    grips_.push_back({term.vertices, term.closest.weights, term.closest.direction, friction_of(term.vertices) * force});
  });
  share();
  if (held_forces_.rows() == 0) held_forces_ = Points::Zero(x.rows(), 3);
  const double change = (pushes - held_forces_).rowwise().norm().sum(), total = pushes.rowwise().norm().sum();
  held_forces_ = std::move(pushes);
  return total > 0.0 ? change / total : change > 0.0 ? 1.0 : 0.0;
}

int SurfaceBarrier::contact_count(const Points& x) const {
  int count = 0;
  each_term(x, [&](const Term&) { ++count; });
  return count;
}

MovingPair SurfaceBarrier::moving(const Candidate& candidate, const Points& from, const Points& to) const {
  const std::array<int, 4> vertices = candidates_.vertices(candidate);
  return {candidate.kind, corners_at(from, vertices), corners_at(to, vertices)};
}

double SurfaceBarrier::longest_move(const Points& from, const Points& move) const {
  const Points beyond = from + move / kPartOfWay;
  const std::size_t threads = pairs_.size() < 1024 ? 1 : std::size_t(options_.threads);
  std::vector<double> least(threads, 1.0);
  numerics::run_team(int(threads), [&](int thread) {
    const auto t = std::size_t(thread);
    for (std::size_t k = pairs_.size() * t / threads; k < pairs_.size() * (t + 1) / threads; ++k) {
      if (are_held(candidates_.vertices(pairs_[k]))) continue;
      const auto contact = first_contact(moving(pairs_[k], from, beyond));
      if (contact) least[t] = std::min(least[t], contact->time);  // 0.8 of the time, in units of 1/0.8 of the move
    }
  });
  return *std::min_element(least.begin(), least.end());
}

bool SurfaceBarrier::is_free(const Points& from, const Points& to) const {
  return std::none_of(pairs_.begin(), pairs_.end(), [&](const Candidate& pair) {
    return !are_held(candidates_.vertices(pair)) && first_contact(moving(pair, from, to)).has_value();
  });
}

std::optional<Intersection> find_intersection(const Points& x, const Triangles& triangles, int first_given) {
  std::vector<numerics::Box> boxes = numerics::boxes_of(x, triangles);
  numerics::BoxTree tree;
  tree.update(boxes);
  std::vector<int> met;
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (Eigen::Index k = 0; k < 3; ++k) {
      const int a = triangles(t, k), b = triangles(t, (k + 1) % 3);
      met.clear();
      tree.find_overlaps(numerics::box_around(x, Eigen::Vector2i(a, b)), 0, met);
      for (const int other : met) {
        const std::array<int, 3> of = {triangles(other, 0), triangles(other, 1), triangles(other, 2)};
        if (contains(of, a) || contains(of, b)) continue;
        if (std::min(a, of[0]) >= first_given) continue;
        // An edge meets a triangle where a point that moves along it does.
        const std::array<Vector3, 4> start = corners_at(x, {a, of[0], of[1], of[2]});
        std::array<Vector3, 4> end = start;
        end[0] = at(x, b);
        if (first_contact({PairKind::PointTriangle, start, end})) return Intersection{{a, b}, of};
      }
    }
  return std::nullopt;
}

std::optional<double> least_distance(const Points& x, const Triangles& triangles, std::span<const int> parts,
                                     double reach) {
  PairCandidates candidates(x.rows(), triangles, true, true);
  double least = reach;
  for (const Candidate& pair : candidates.find(x, x, reach)) {
    const std::array<int, 4> vertices = candidates.vertices(pair);
    if (parts[std::size_t(vertices[0])] != parts[std::size_t(vertices[3])]) continue;
    const std::array<Vector3, 4> corners = corners_at(x, vertices);
    least = std::min(least, distance_between(corners, closest_points(pair.kind, corners)));
  }
  if (least < reach) return least;
  return std::nullopt;
}

}  // namespace deformbench::collision
