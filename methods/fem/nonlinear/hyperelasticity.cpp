// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/hyperelasticity.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>

#include "methods/fem/elasticity/element_batches.hpp"
#include "methods/numerics/lanes.hpp"

namespace deformbench::fem {

using numerics::load;
using numerics::Pack;

namespace {

/// [batch][wxyz][lane] of the identity.
template <class T>
numerics::AlignedVector<T> unit_quaternions(std::size_t slots) {
  constexpr std::size_t lanes = numerics::lane_count<T>;
  numerics::AlignedVector<T> q;
  q.assign(4 * slots, T(0));
  for (std::size_t slot = 0; slot < slots; ++slot) q[slot / lanes * 4 * lanes + slot % lanes] = T(1);
  return q;
}

}  // namespace

Hyperelasticity::Hyperelasticity(Body<double>& body, std::optional<double> fracture_threshold)
    : body_(body), threshold_(fracture_threshold) {
  constexpr std::size_t lanes = numerics::lane_count<double>;
  const MeshGraph& graph = body.graph;
  const std::size_t elements = std::size_t(graph.element_count());
  batches_ = int((elements + lanes - 1) / lanes);
  constexpr std::size_t single_lanes = numerics::lane_count<float>;  // a multiple of `lanes`
  const std::size_t slots = (elements + single_lanes - 1) / single_lanes * single_lanes;
  gradients_.resize(9 * slots);
  lambda_.assign(slots, 0.0);
  mu_.assign(slots, 0.0);
  volume_.assign(slots, 1.0);
  slot_of_.resize(elements);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    // Copies of the last element, without stiffness, pad its batch.
    const int element = graph.element_of[std::min(slot, elements - 1)];
    const RestElement rest = rest_element(body.scene.tet_mesh, element);
    for (std::size_t k = 0; k < 9; ++k)
      gradients_[slot / lanes * 9 * lanes + k * lanes + slot % lanes] =
          rest.gradients(Eigen::Index(k % 3), Eigen::Index(k / 3) + 1);
    if (slot >= elements) continue;
    const model::Material& material = body.scene.material_of(element);
    slot_of_[std::size_t(element)] = int(slot);
    volume_[slot] = rest.volume;
    lambda_[slot] = material.lame_lambda() * rest.volume;
    mu_[slot] = material.lame_mu() * rest.volume;
  }
  pass_ = fresh_pass();
  read_topology();
}

Hyperelasticity::Pass Hyperelasticity::fresh_pass() const {
  Pass pass;
  pass.quaternions = unit_quaternions<double>(volume_.size());
  pass.corner_forces.assign(12 * volume_.size() + 4, 0.0);
  return pass;
}

void Hyperelasticity::read_topology() {
  corners_ = body_.graph.corner_offsets(volume_.size());
  gather_ = plan_gather(numerics::lane_count<double>);
  if (!single_gather_.at.empty()) single_gather_ = plan_gather(numerics::lane_count<float>);
}

/// Slots ascend within the places of an edge.
Hyperelasticity::Gather Hyperelasticity::plan_gather(int lanes) const {
  const MeshGraph& graph = body_.graph;
  const int edges = graph.edges.edge_count();
  const auto batch_of = [&](int place) { return (graph.edge_places[std::size_t(place)] >> 4) / lanes; };
  Gather gather;
  gather.batches = (graph.element_count() + lanes - 1) / lanes;
  std::vector<int> first(std::size_t(edges) + 1, gather.batches);  // batch that this edge or a later one needs
  for (int e = edges - 1; e >= 0; --e)
    first[std::size_t(e)] = std::min(first[std::size_t(e) + 1], batch_of(graph.edge_start[std::size_t(e)]));
  int edge = 0, most = 1;
  for (int low = 0; low < gather.batches; low += kRound) {
    const int high = std::min(gather.batches, low + kRound);
    most = std::max(most, high - std::min(low, first[std::size_t(edge)]));
    while (edge < edges && batch_of(graph.edge_start[std::size_t(edge) + 1] - 1) < high) ++edge;
    gather.complete.push_back(edge);
  }
  // Each thread of several gathers from the batches of all.
  gather.last = std::bit_ceil(std::size_t(body_.threads() == 1 ? most : gather.batches)) - 1;
  constexpr unsigned kPairOfCorners[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}};
  gather.at.resize(graph.edge_places.size());
  for (std::size_t k = 0; k < gather.at.size(); ++k) {
    const unsigned place = unsigned(graph.edge_places[k]), slot = place >> 4, a = (place >> 2) & 3, b = place & 3;
    const unsigned batch = slot / unsigned(lanes) & unsigned(gather.last);
    const unsigned kept = batch * unsigned(lanes) + slot % unsigned(lanes);
    gather.at[k] = 2 * (unsigned(kBlockStride) * kept + 9 * kPairOfCorners[a][b]) + (a > b ? 1 : 0);
  }
  return gather;
}

void Hyperelasticity::follow(const GraphChange&) {
  read_topology();
}

int Hyperelasticity::selected_elements(const std::vector<char>& nodes) const {
  const std::vector<int>& corners = body_.graph.corners;
  int count = 0;
  for (auto corner = corners.begin(); corner != corners.end(); corner += 4)
    count += std::any_of(corner, corner + 4, [&](int node) { return nodes[std::size_t(node)] != 0; });
  return count;
}

template <class Work>
void Hyperelasticity::each_batch(int count, Work&& work) const {
  const long long batches = count, threads = body_.threads();
  numerics::run_team(int(threads),
                     [&](int t) { work(t, int(batches * t / threads), int(batches * (t + 1) / threads)); });
}

double Hyperelasticity::energy(const double* x) {
  std::vector<double> sums(std::size_t(body_.threads()), 0.0);
  each_batch(batches_,
             [&](int t, int low, int high) { sums[std::size_t(t)] = energy_of_batches(x, low, high, pass_); });
  double sum = 0.0;
  for (const double part : sums) sum += part;
  return sum;
}

double Hyperelasticity::energy_scale() const {
  double sum = 0.0;
  for (std::size_t slot = 0; slot < mu_.size(); ++slot) sum += std::abs(lambda_[slot]) + 2.0 * mu_[slot];
  return sum;
}

double Hyperelasticity::stable_time_step() const {
  return fem::stable_time_step(body_.scene, penalty_stiffness());
}

void Hyperelasticity::forces(const double* x, double* f) {
  if (body_.threads() == 1) {
    add_forces(x, pass_, f);
    return;
  }
  each_batch(batches_, [&](int, int low, int high) { force_batches(x, low, high, pass_); });
  body_.each_range(
      [&](int, int low, int high) { gather_corners(body_.graph, pass_.corner_forces.data(), low, high, f); });
}

void Hyperelasticity::add_forces(const double* x, Pass& pass, double* f) const {
  std::fill_n(f, 4 * std::size_t(body_.graph.node_count()), 0.0);
  pass.sums = f;
  force_batches(x, 0, batches_, pass);
  pass.sums = nullptr;
}

void Hyperelasticity::assemble_hessian(const double* x, double c, const HessianForm& form, LinearSystem<double>& system,
                                       double* f) {
  for (int i = 0; i < body_.graph.node_count(); ++i) system.upper().weight(i) = system.weights()[std::size_t(i)];
  write_hessian(x, c, form, system.upper(), f);
}

void Hyperelasticity::write_hessian(const double* x, double c, const HessianForm& form,
                                    numerics::UpperBlockMatrix<double>& a, double* f) {
  if (form.single_precision) {
    if (f != nullptr) forces(x, f);
    if (single_gather_.at.empty()) single_gather_ = plan_gather(numerics::lane_count<float>);
    if (pass_.single_quaternions.empty()) pass_.single_quaternions = unit_quaternions<float>(volume_.size());
    reserve_blocks<float>(single_gather_, pass_);
    sum_blocks(single_gather_, pass_.single_blocks, c, a,
               [&](int low, int high) { single_hessian_batches(x, low, high, form, pass_); });
    return;
  }
  const bool is_alone = body_.threads() == 1;
  if (f != nullptr && is_alone) {
    std::fill_n(f, 4 * std::size_t(body_.graph.node_count()), 0.0);
    pass_.sums = f;
  }
  reserve_blocks<double>(gather_, pass_);
  sum_blocks(gather_, pass_.blocks, c, a,
             [&](int low, int high) { hessian_batches(x, low, high, form, f != nullptr, pass_); });
  pass_.sums = nullptr;
  if (f == nullptr || is_alone) return;
  body_.each_range(
      [&](int, int low, int high) { gather_corners(body_.graph, pass_.corner_forces.data(), low, high, f); });
}

template <class T>
void Hyperelasticity::reserve_blocks(const Gather& gather, Pass& pass) {
  const std::size_t batches = std::min(gather.last + 1, std::size_t(gather.batches));
  auto& blocks = [&]() -> numerics::AlignedVector<T>& {
    if constexpr (sizeof(T) == 4)
      return pass.single_blocks;
    else
      return pass.blocks;
  }();
  blocks.resize(kBlockStride * std::size_t(numerics::lane_count<T>) * batches);
  pass.last = gather.last;
}

template <class T, class Batches>
void Hyperelasticity::sum_blocks(const Gather& gather, const numerics::AlignedVector<T>& blocks, double c,
                                 numerics::UpperBlockMatrix<double>& a, Batches&& batches) const {
  using V = Pack<double, 4>;
  const MeshGraph& graph = body_.graph;
  const auto four = [&](std::size_t place) {
    if constexpr (sizeof(T) == 4)
      return __builtin_convertvector(load<Pack<float, 4>>(blocks.data() + place), V);
    else
      return load<V>(blocks.data() + place);
  };
  const auto sum_edges = [&](int low, int high) {
    for (int edge = low; edge < high; ++edge) {
      V h{}, p{}, s{};  // cyclic diagonals (block_matrix.hpp); those of the transpose are (h, ↓s, ↑p)
      for (int k = graph.edge_start[std::size_t(edge)]; k < graph.edge_start[std::size_t(edge) + 1]; ++k) {
        const unsigned at = gather.at[std::size_t(k)];
        const std::size_t block = at >> 1;
        const V third = four(block + 3), last = four(block + 6);
        h += four(block);
        p += at & 1 ? numerics::rotate_down<double>(last) : third;
        s += at & 1 ? numerics::rotate_up<double>(third) : last;
      }
      double* to = a.upper(edge);
      for (int k = 0; k < 3; ++k) to[k] = c * h[k], to[3 + k] = c * p[k], to[6 + k] = c * s[k];
    }
  };
  if (body_.threads() > 1) {
    each_batch(gather.batches, [&](int, int low, int high) { batches(low, high); });
    const std::vector<int>& rows = graph.edges.row_start;
    body_.each_range([&](int, int low, int high) { sum_edges(rows[std::size_t(low)], rows[std::size_t(high)]); });
    return;
  }
  int edge = 0;
  for (std::size_t round = 0; round < gather.complete.size(); ++round) {
    const int low = int(round) * kRound;
    batches(low, std::min(low + kRound, gather.batches));
    sum_edges(edge, gather.complete[round]);
    edge = gather.complete[round];
  }
}

numerics::AlignedVector<double> Hyperelasticity::in_graph_order(const Eigen::Ref<const Points>& positions) const {
  numerics::AlignedVector<double> x;
  x.assign(4 * std::size_t(positions.rows()), 0.0);
  for (std::size_t i = 0; i < std::size_t(positions.rows()); ++i)
    for (std::size_t k = 0; k < 3; ++k) x[4 * i + k] = positions(body_.graph.node_of[i], Eigen::Index(k));
  return x;
}

double Hyperelasticity::elastic_energy(const Eigen::Ref<const Points>& positions) const {
  const auto x = in_graph_order(positions);
  Pass pass = fresh_pass();
  return energy_of_batches(x.data(), 0, batches_, pass);
}

Points Hyperelasticity::elastic_forces(const Eigen::Ref<const Points>& positions) const {
  const auto x = in_graph_order(positions);
  Pass pass = fresh_pass();
  numerics::AlignedVector<double> f;
  f.resize(x.size());
  add_forces(x.data(), pass, f.data());
  Points forces(positions.rows(), 3);
  for (std::size_t i = 0; i < std::size_t(forces.rows()); ++i)
    for (std::size_t k = 0; k < 3; ++k) forces(body_.graph.node_of[i], Eigen::Index(k)) = f[4 * i + k];
  return forces;
}

/// [CS6967] §2.2: X times β, whose rows are the ∇N_a of corners 1 to 3.
std::vector<Matrix3> Hyperelasticity::deformation_gradients(const Eigen::Ref<const Points>& positions) const {
  constexpr std::size_t lanes = numerics::lane_count<double>;
  const auto x = in_graph_order(positions);
  std::vector<double> found(9 * volume_.size());  // [batch][entry][lane]
  for (std::size_t first = 0; first < volume_.size(); first += lanes) {
    numerics::Batch<double> b[9], f[9];
    for (std::size_t k = 0; k < 9; ++k) b[k] = numerics::Batch<double>::from(gradients_.data() + 9 * first + k * lanes);
    gather_gradients<double>(x.data(), corners_.data() + 4 * first, b, f);
    for (std::size_t k = 0; k < 9; ++k) f[k].to(found.data() + 9 * first + k * lanes);
  }
  std::vector<Matrix3> gradients(slot_of_.size());
  for (std::size_t e = 0; e < gradients.size(); ++e) {
    const std::size_t slot = std::size_t(slot_of_[e]);
    for (std::size_t k = 0; k < 9; ++k)
      gradients[e](Eigen::Index(k / 3), Eigen::Index(k % 3)) =
          found[slot / lanes * 9 * lanes + k * lanes + slot % lanes];
  }
  return gradients;
}

std::vector<Vector6> Hyperelasticity::element_stresses(const Eigen::Ref<const Points>& positions) const {
  const auto x = in_graph_order(positions);
  Pass pass = fresh_pass();
  pass.stresses.resize(kStressStride * volume_.size());
  stress_batches(x.data(), 0, batches_, pass);
  std::vector<Vector6> stresses;
  for (const int slot : slot_of_)
    stresses.push_back(Eigen::Map<const Vector6>(pass.stresses.data() + kStressStride * std::size_t(slot)));
  return stresses;
}

Eigen::SparseMatrix<double> Hyperelasticity::hessian(const Eigen::Ref<const Points>& positions,
                                                     const HessianForm& form) const {
  const auto x = in_graph_order(positions);
  Pass pass = fresh_pass();
  reserve_blocks<double>(gather_, pass);
  numerics::UpperBlockMatrix<double> a(body_.graph.edges);
  for (int i = 0; i < body_.graph.node_count(); ++i) a.weight(i) = 0.0;
  sum_blocks(gather_, pass.blocks, 1.0, a,
             [&](int low, int high) { hessian_batches(x.data(), low, high, form, false, pass); });
  return body_.graph.in_mesh_order(a.to_sparse());
}

double Hyperelasticity::stiffness_bound() const {
  return rest_stiffness() * ElementModel(body_.scene, {RotationKind::Identity, false}).stiffness_bound();
}

std::vector<Suspect> Hyperelasticity::suspects() {
  pass_.stresses.resize(kStressStride * volume_.size());
  const double* x = body_.state.positions.data();
  each_batch(batches_, [&](int, int low, int high) { stress_batches(x, low, high, pass_); });
  std::vector<Suspect> suspects;
  for (int slot = 0; slot < body_.graph.element_count(); ++slot) {
    const double stress = pass_.stresses[kStressStride * std::size_t(slot) + 6];
    if (stress > (1.0 - 1e-9) * *threshold_) suspects.push_back({body_.graph.element_of[std::size_t(slot)], stress});
  }
  return suspects;
}

Matrix3 Hyperelasticity::breaking_rotation(int element) const {
  constexpr std::size_t lanes = numerics::lane_count<double>;
  const std::size_t slot = std::size_t(slot_of_[std::size_t(element)]);
  const double* q = pass_.quaternions.data() + slot / lanes * 4 * lanes + slot % lanes;
  return Eigen::Quaterniond(q[0], q[lanes], q[2 * lanes], q[3 * lanes]).normalized().toRotationMatrix();
}

Vector6 Hyperelasticity::breaking_stress(int element, const Matrix3&) const {
  return Eigen::Map<const Vector6>(pass_.stresses.data() + kStressStride * std::size_t(slot_of_[std::size_t(element)]));
}

}  // namespace deformbench::fem
