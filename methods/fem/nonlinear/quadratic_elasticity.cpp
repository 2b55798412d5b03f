// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/quadratic_elasticity.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "methods/fem/elasticity/elastic_model.hpp"
#include "methods/numerics/lanes.hpp"

namespace deformbench::fem {

using numerics::load;
using V = numerics::Pack<double, 4>;

namespace {

constexpr int kPoints = 4, kNodes = 10, kPairs = 45, kCorners = 4 * kPoints;

/// Barycentric coordinates of the points, (5 + 3√5)/20 once and (5 − √5)/20 three times: of degree 2.
const double kFar = 0.25 + 0.15 * std::sqrt(5.0), kNear = 0.25 - 0.05 * std::sqrt(5.0);
/// Edge of the tetrahedron about a point over that of the element.
const double kScale = std::cbrt(1.0 / kPoints);

/// ∂N_a/∂L_k at barycentric coordinates l, [a][k]: N_k = L_k (2 L_k − 1) of corners, N = 4 L_i L_j of middles.
Eigen::Matrix<double, kNodes, 4> barycentric_gradients(const Eigen::Vector4d& l) {
  Eigen::Matrix<double, kNodes, 4> d = Eigen::Matrix<double, kNodes, 4>::Zero();
  for (int k = 0; k < 4; ++k) d(k, k) = 4.0 * l[k] - 1.0;
  for (int m = 0; m < 6; ++m) {
    const auto [i, j] = model::kEdgesOfTetrahedron[std::size_t(m)];
    d(4 + m, i) = 4.0 * l[j];
    d(4 + m, j) = 4.0 * l[i];
  }
  return d;
}

Eigen::Matrix<double, kNodes, 1> shape_functions(const Eigen::Vector4d& l) {
  Eigen::Matrix<double, kNodes, 1> n;
  for (int k = 0; k < 4; ++k) n[k] = l[k] * (2.0 * l[k] - 1.0);
  for (int m = 0; m < 6; ++m)
    n[4 + m] =
        4.0 * l[model::kEdgesOfTetrahedron[std::size_t(m)][0]] * l[model::kEdgesOfTetrahedron[std::size_t(m)][1]];
  return n;
}

Eigen::Vector4d point(int q) {
  Eigen::Vector4d l = Eigen::Vector4d::Constant(kNear);
  l[q] = kFar;
  return l;
}

/// W: rows 4q + c, columns nodes.
const Eigen::Matrix<double, kCorners, kNodes>& weights() {
  static const Eigen::Matrix<double, kCorners, kNodes> w = [] {
    Eigen::Matrix<double, kCorners, kNodes> found;
    for (int q = 0; q < kPoints; ++q)
      for (int c = 0; c < 4; ++c)
        found.row(4 * q + c) = (shape_functions(point(q)) +
                                kScale * barycentric_gradients(point(q)) * (Eigen::Vector4d::Unit(c) - point(q)))
                                   .transpose();
    return found;
  }();
  return w;
}

/// Weights of nodes in y_c − y_0 of each point, [q][c − 1][a].
struct Differences {
  double of[kPoints][3][kNodes];
  Differences() {
    for (int q = 0; q < kPoints; ++q)
      for (int c = 1; c < 4; ++c)
        for (int a = 0; a < kNodes; ++a) of[q][c - 1][a] = weights()(4 * q + c, a) - weights()(4 * q, a);
  }
};

model::TetMesh corner_mesh(const Scene& scene, const model::QuadraticTetrahedra& elements) {
  return {scene.tet_mesh.rest_positions, elements.leftCols<4>()};
}

/// Elements by their first node in the graph.
std::vector<int> ordered(const Body<double>& body, const model::QuadraticTetrahedra& elements) {
  std::vector<int> order(std::size_t(elements.rows())), first;
  std::iota(order.begin(), order.end(), 0);
  for (Eigen::Index e = 0; e < elements.rows(); ++e) {
    int least = body.graph.node_count();
    for (int a = 0; a < kNodes; ++a) least = std::min(least, body.graph.vertex_to_node[std::size_t(elements(e, a))]);
    first.push_back(least);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return first[std::size_t(a)] < first[std::size_t(b)]; });
  return order;
}

/// The tetrahedra about the points, four per element, which share no vertices.
Scene points_scene(const Scene& scene, const model::QuadraticTetrahedra& elements, const std::vector<int>& order) {
  Scene points;
  points.name = scene.name;
  points.materials = scene.materials;
  points.time_step = scene.time_step;
  points.tet_mesh.rest_positions.resize(kCorners * elements.rows(), 3);
  points.tet_mesh.tetrahedra.resize(kPoints * elements.rows(), 4);
  for (Eigen::Index slot = 0; slot < elements.rows(); ++slot) {
    const Eigen::Index e = order[std::size_t(slot)];
    Eigen::Matrix<double, kNodes, 3> x;
    for (int a = 0; a < kNodes; ++a) x.row(a) = scene.tet_mesh.rest_positions.row(elements(e, a));
    const Eigen::RowVector3d origin = x.row(0);
    x.rowwise() -= origin;
    points.tet_mesh.rest_positions.middleRows<kCorners>(kCorners * slot) = weights() * x;
    for (int k = 0; k < kCorners; ++k)
      points.tet_mesh.tetrahedra(kPoints * slot + k / 4, k % 4) = int(kCorners * slot) + k;
    if (!scene.element_material.empty())
      points.element_material.insert(points.element_material.end(), kPoints,
                                     scene.element_material[std::size_t(8 * e)]);
  }
  return points;
}

}  // namespace

QuadraticElasticity::QuadraticElasticity(const std::string& law, Body<double>& body,
                                         const model::QuadraticTetrahedra& elements)
    : body_(body),
      element_of_(ordered(body, elements)),
      corners_(corner_mesh(body.scene, elements)),
      point_body_(points_scene(body.scene, elements, element_of_), body.threads()),
      points_(make_hyperelasticity(law, point_body_, std::nullopt)),
      point_blocks_(point_body_.graph.edges) {
  const numerics::EdgePattern& edges = body.graph.edges;
  for (const int e : element_of_) {
    std::array<int, kNodes> nodes;
    for (int a = 0; a < kNodes; ++a) nodes[std::size_t(a)] = body.graph.vertex_to_node[std::size_t(elements(e, a))];
    nodes_.push_back(nodes);
    const auto [first, last] = std::minmax_element(nodes.begin(), nodes.end());
    span_.push_back({*first, *last});
    for (int a = 0; a < kNodes; ++a)
      for (int b = a + 1; b < kNodes; ++b) {
        const bool is_ascending = nodes[std::size_t(a)] < nodes[std::size_t(b)];
        const int i = is_ascending ? a : b, j = is_ascending ? b : a;
        const int row = nodes[std::size_t(i)], column = nodes[std::size_t(j)];
        const auto begin = edges.column.begin() + edges.row_start[std::size_t(row)],
                   end = edges.column.begin() + edges.row_start[std::size_t(row) + 1];
        pairs_.push_back({int(std::lower_bound(begin, end, column) - edges.column.begin()), i, j});
      }
  }
  y_.assign(4 * kCorners * nodes_.size(), 0.0);
  point_forces_.assign(y_.size(), 0.0);
}

const QuadraticElasticity::Vector& QuadraticElasticity::placed(const double* x) {
  const auto& w = weights();
  const long long slots = (long long)nodes_.size(), threads = point_body_.threads();
  numerics::run_team(int(threads), [&](int t) {
    for (long long slot = slots * t / threads; slot < slots * (t + 1) / threads; ++slot) {
      V from[kNodes];
      for (std::size_t a = 0; a < kNodes; ++a) from[a] = load<V>(x + 4 * std::size_t(nodes_[std::size_t(slot)][a]));
      for (std::size_t a = kNodes; a-- > 0;) from[a] -= from[0];  // translations drop out before anything is rounded
      double* to = y_.data() + 4 * kCorners * std::size_t(slot);
      for (int k = 0; k < kCorners; ++k) {
        V sum{};
        for (int a = 1; a < kNodes; ++a) sum += w(k, a) * from[a];
        numerics::store(to + 4 * k, sum);
      }
    }
  });
  return y_;
}

double QuadraticElasticity::energy(const double* x) {
  return points_->energy(placed(x).data());
}

void QuadraticElasticity::forces(const double* x, double* f) {
  points_->forces(placed(x).data(), point_forces_.data());
  body_.each_range([&](int, int low, int high) { gather_forces(low, high, f); });
}

void QuadraticElasticity::gather_forces(int low, int high, double* f) const {
  std::fill(f + 4 * std::size_t(low), f + 4 * std::size_t(high), 0.0);
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) {
    if (span_[slot][0] >= high || span_[slot][1] < low) continue;
    V from[kCorners];
    for (std::size_t k = 0; k < kCorners; ++k) from[k] = load<V>(point_forces_.data() + 4 * (kCorners * slot + k));
    for (int a = 0; a < kNodes; ++a) {
      const int node = nodes_[slot][std::size_t(a)];
      if (node < low || node >= high) continue;
      V sum = load<V>(f + 4 * std::size_t(node));
      for (int k = 0; k < kCorners; ++k) sum += weights()(k, a) * from[k];
      numerics::store(f + 4 * std::size_t(node), sum);
    }
  }
}

bool QuadraticElasticity::is_selected(std::size_t slot, const std::vector<char>& nodes) const {
  return std::ranges::any_of(nodes_[slot], [&](int node) { return nodes[std::size_t(node)] != 0; });
}

int QuadraticElasticity::selected_elements(const std::vector<char>& nodes) const {
  int count = 0;
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) count += is_selected(slot, nodes);
  return 8 * count;
}

void QuadraticElasticity::assemble_hessian(const double* x, double c, const HessianForm& form,
                                           LinearSystem<double>& system, double* f) {
  for (int i = 0; i < body_.graph.node_count(); ++i) system.upper().weight(i) = system.weights()[std::size_t(i)];
  HessianForm of_points = form;
  if (form.filtered_nodes != nullptr) {
    filtered_.assign(kCorners * nodes_.size(), 0);
    for (std::size_t slot = 0; slot < nodes_.size(); ++slot)
      if (is_selected(slot, *form.filtered_nodes))
        std::fill_n(filtered_.begin() + std::ptrdiff_t(kCorners * slot), kCorners, 1);
    of_points.filtered_nodes = &filtered_;
  }
  points_->write_hessian(placed(x).data(), c, of_points, point_blocks_, f == nullptr ? nullptr : point_forces_.data());
  body_.each_range([&](int, int low, int high) {
    gather_blocks(low, high, system.upper());
    if (f != nullptr) gather_forces(low, high, f);
  });
}

/// With y_c − y_0 = Σ_a G_ca x_a, a pair of nodes has the block Σ_cd G_ca Ĥ_cd G_db over c, d = 1…3. Those of Ĥ with
/// c = d follow from its rows, which sum to zero.
void QuadraticElasticity::gather_blocks(int low, int high, numerics::UpperBlockMatrix<double>& a) const {
  static const Differences g;
  struct Block {
    V part[3];  // nine numbers as put_block writes them, and three that are zero
  };
  constexpr int kTransposed[9] = {0, 1, 2, 8, 6, 7, 4, 5, 3};
  const std::vector<int>& rows = body_.graph.edges.row_start;
  std::fill(a.upper(rows[std::size_t(low)]),
            a.upper(rows[std::size_t(low)]) + 9 * std::size_t(rows[std::size_t(high)] - rows[std::size_t(low)]), 0.0);
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) {
    if (span_[slot][0] >= high || span_[slot][1] < low) continue;
    Block sums[kPairs] = {};
    const Pair* pairs = pairs_.data() + kPairs * slot;
    for (int q = 0; q < kPoints; ++q) {
      double h[3][3][12] = {};
      const double* edge = point_blocks_.upper(6 * (kPoints * int(slot) + q));  // 01 02 03 12 13 23
      const auto at = [&](int pair, int k) { return edge[9 * pair + k]; };
      for (int k = 0; k < 9; ++k) {
        const int t = kTransposed[k];
        h[0][1][k] = at(3, k), h[0][2][k] = at(4, k), h[1][2][k] = at(5, k);
        h[1][0][k] = at(3, t), h[2][0][k] = at(4, t), h[2][1][k] = at(5, t);
        h[0][0][k] = -(at(0, t) + h[0][1][k] + h[0][2][k]);
        h[1][1][k] = -(at(1, t) + h[1][0][k] + h[1][2][k]);
        h[2][2][k] = -(at(2, t) + h[2][0][k] + h[2][1][k]);
      }
      Block half[kNodes][3];  // Σ_c G_ca Ĥ_cd
      for (int n = 0; n < kNodes; ++n)
        for (int d = 0; d < 3; ++d)
          for (int part = 0; part < 3; ++part)
            half[n][d].part[part] = g.of[q][0][n] * load<V>(h[0][d] + 4 * part) +
                                    g.of[q][1][n] * load<V>(h[1][d] + 4 * part) +
                                    g.of[q][2][n] * load<V>(h[2][d] + 4 * part);
      for (int p = 0; p < kPairs; ++p)
        for (int d = 0; d < 3; ++d)
          for (int part = 0; part < 3; ++part)
            sums[p].part[part] += g.of[q][d][pairs[p].b] * half[pairs[p].a][d].part[part];
    }
    for (int p = 0; p < kPairs; ++p) {
      const int row = nodes_[slot][std::size_t(pairs[p].a)];
      if (row < low || row >= high) continue;
      double* to = a.upper(pairs[p].edge);
      for (int k = 0; k < 9; ++k) to[k] += sums[p].part[k / 4][k % 4];
    }
  }
}

// ---- facets

Points QuadraticElasticity::points_of(const Eigen::Ref<const Points>& positions) const {
  Points y(Eigen::Index(kCorners * nodes_.size()), 3);
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot)
    y.middleRows<kCorners>(Eigen::Index(kCorners * slot)) = weights() * nodes_from_first(positions, slot);
  return y;
}

Eigen::Matrix<double, 10, 3> QuadraticElasticity::nodes_from_first(const Eigen::Ref<const Points>& positions,
                                                                   std::size_t slot) const {
  Eigen::Matrix<double, kNodes, 3> x;
  for (int a = 0; a < kNodes; ++a)
    x.row(a) = positions.row(body_.graph.node_of[std::size_t(nodes_[slot][std::size_t(a)])]);
  const Eigen::RowVector3d origin = x.row(0);
  x.rowwise() -= origin;
  return x;
}

double QuadraticElasticity::elastic_energy(const Eigen::Ref<const Points>& positions) const {
  return points_->elastic_energy(points_of(positions));
}

Points QuadraticElasticity::elastic_forces(const Eigen::Ref<const Points>& positions) const {
  const Points of_points = points_->elastic_forces(points_of(positions));
  Points forces = Points::Zero(positions.rows(), 3);
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) {
    const Eigen::Matrix<double, kNodes, 3> f =
        weights().transpose() * of_points.middleRows<kCorners>(Eigen::Index(kCorners * slot));
    for (int a = 0; a < kNodes; ++a)
      forces.row(body_.graph.node_of[std::size_t(nodes_[slot][std::size_t(a)])]) += f.row(a);
  }
  return forces;
}

std::vector<Matrix3> QuadraticElasticity::deformation_gradients(const Eigen::Ref<const Points>& positions) const {
  std::vector<Matrix3> found(8 * nodes_.size());
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) {
    const int e = element_of_[slot];
    const Eigen::Matrix<double, kNodes, 3> x = nodes_from_first(positions, slot);
    const RestElement rest = rest_element(corners_, e);
    for (int part = 0; part < 8; ++part) {
      Eigen::Vector4d l = Eigen::Vector4d::Zero();  // the centroid
      for (int k = 0; k < 4; ++k) {
        const int vertex = body_.scene.tet_mesh.tetrahedra(8 * e + part, k);
        const int node = body_.graph.vertex_to_node[std::size_t(vertex)];
        const auto a = std::find(nodes_[slot].begin(), nodes_[slot].end(), node) - nodes_[slot].begin();
        if (a < 4)
          l[a] += 0.25;
        else
          for (const int corner : model::kEdgesOfTetrahedron[std::size_t(a - 4)]) l[corner] += 0.125;
      }
      found[std::size_t(8 * e + part)] = x.transpose() * barycentric_gradients(l) * rest.gradients.transpose();
    }
  }
  return found;
}

/// The tetrahedra about the points are deformed as four of the eight parts at a time.
std::vector<Vector6> QuadraticElasticity::element_stresses(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Matrix3> gradients = deformation_gradients(positions);
  const Points& rest = point_body_.scene.tet_mesh.rest_positions;
  std::vector<Vector6> found(gradients.size());
  for (const std::size_t half : {0u, 4u}) {
    Points y(rest.rows(), 3);
    const auto part = [&](std::size_t point) {
      return 8 * std::size_t(element_of_[point / kPoints]) + half + point % kPoints;
    };
    for (Eigen::Index k = 0; k < y.rows(); ++k)
      y.row(k) = rest.row(k) * gradients[part(std::size_t(k) / 4)].transpose();
    const std::vector<Vector6> stresses = points_->element_stresses(y);
    for (std::size_t point = 0; point < stresses.size(); ++point) found[part(point)] = stresses[point];
  }
  return found;
}

Eigen::SparseMatrix<double> QuadraticElasticity::hessian(const Eigen::Ref<const Points>& positions,
                                                         const HessianForm& form) const {
  const Eigen::SparseMatrix<double> of_points = points_->hessian(points_of(positions), {form.negative_share});
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot)
    for (int k = 0; k < kCorners; ++k)
      for (int a = 0; a < kNodes; ++a)
        for (int c = 0; c < 3; ++c)
          entries.emplace_back(3 * (kCorners * int(slot) + k) + c,
                               3 * body_.graph.node_of[std::size_t(nodes_[slot][std::size_t(a)])] + c, weights()(k, a));
  Eigen::SparseMatrix<double> w(of_points.rows(), 3 * positions.rows());
  w.setFromTriplets(entries.begin(), entries.end());
  return w.transpose() * (of_points * w);
}

// ---- bounds

double QuadraticElasticity::point_stiffness(std::size_t slot) const {
  const Eigen::Index point = Eigen::Index(kPoints * slot);  // that of the others has the same shape
  return largest_stiffness(point_body_.scene.material_of(point), rest_element(point_body_.scene.tet_mesh, point));
}

namespace {

/// λ_max of D⁻½ (Σ_q W_qᵀ P W_q) D⁻½, where P takes away the mean of a tetrahedron's corners, which its stiffness does
/// not see: times point_stiffness, a bound on the eigenvalues of the element with the masses D.
double weight_norm(const Eigen::Matrix<double, kNodes, 1>& masses) {
  Eigen::Matrix<double, kNodes, kNodes> sum = Eigen::Matrix<double, kNodes, kNodes>::Zero();
  for (int q = 0; q < kPoints; ++q) {
    Eigen::Matrix<double, 4, kNodes> w = weights().middleRows<4>(4 * q);
    const Eigen::Matrix<double, 1, kNodes> mean = w.colwise().mean();
    w.rowwise() -= mean;
    sum += w.transpose() * w;
  }
  const auto scale = masses.cwiseSqrt().cwiseInverse().asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, kNodes, kNodes>>(scale * sum * scale,
                                                                              Eigen::EigenvaluesOnly)
      .eigenvalues()[kNodes - 1];
}

}  // namespace

double QuadraticElasticity::stiffness_bound() const {
  const double norm = weight_norm(Eigen::Matrix<double, kNodes, 1>::Ones());
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(body_.graph.node_count());
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) {
    const double largest = norm * point_stiffness(slot);
    for (const int node : nodes_[slot]) sums[node] += largest;
  }
  return points_->rest_stiffness() * sums.maxCoeff();
}

double QuadraticElasticity::stable_time_step() const {
  double largest = 0.0;  // ω²
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) {
    const int e = element_of_[slot];
    Eigen::Matrix<double, kNodes, 1> masses = Eigen::Matrix<double, kNodes, 1>::Zero();
    for (int part = 8 * e; part < 8 * e + 8; ++part) {
      const double quarter = 0.25 * body_.scene.material_of(part).density *
                             tetrahedron_volume(body_.scene.tet_mesh, body_.scene.tet_mesh.rest_positions, part);
      for (int k = 0; k < 4; ++k) {
        const int node = body_.graph.vertex_to_node[std::size_t(body_.scene.tet_mesh.tetrahedra(part, k))];
        masses[std::find(nodes_[slot].begin(), nodes_[slot].end(), node) - nodes_[slot].begin()] += quarter;
      }
    }
    largest = std::max(largest, weight_norm(masses) * point_stiffness(slot));
  }
  return 2.0 / std::sqrt(penalty_stiffness() * largest);
}

}  // namespace deformbench::fem
