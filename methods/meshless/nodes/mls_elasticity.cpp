// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/nodes/mls_elasticity.hpp"

#include <algorithm>

#include "methods/meshless/nodes/strain_plasticity.hpp"
#include "methods/numerics/lanes.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::meshless {

using numerics::load;
using numerics::store;

namespace {

using V = numerics::Pack<double, 4>;
constexpr std::size_t kLanes = std::size_t(numerics::register_lanes<double>);
using B = numerics::Pack<double, int(kLanes)>;  // one matrix entry of several nodes
constexpr std::size_t kRows = PairLayout::kRows;
static_assert(kRows == 4 && kLanes % kRows == 0);  // transpose4 turns rows into lanes
constexpr std::size_t kMoving = 8, kForce = 4;     // numbers per node
constexpr std::size_t kNodesForAThread = 256;      // with fewer nodes, synchronisation costs more than it gains

// Constants per node: A⁺, P (both xx yy zz xy yz zx), x relative to the block's origin, 2 v μ, v λ, v k_v.
enum Constant : std::size_t {
  kInverse = 0,
  kProjection = 6,
  kPosition = 12,
  kShear = 15,
  kPressure,
  kVolumeTerm,
  kConstants
};
// Constants of nodes that can flow, ε_p and B; separate, since most solids do not need them.
enum PlasticConstant : std::size_t { kPlastic = 0, kUnstretch = 6, kPlasticConstants = 12 };

/// Index of entry (i, j) in a symmetric matrix (xx yy zz xy yz zx).
constexpr int kSymmetric[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

struct Matrix {
  B of[3][3];
};

/// a b for symmetric b.
DEFORMBENCH_INLINE Matrix times_symmetric(const Matrix& a, const B b[6]) {
  Matrix result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      result.of[i][j] =
          a.of[i][0] * b[kSymmetric[0][j]] + a.of[i][1] * b[kSymmetric[1][j]] + a.of[i][2] * b[kSymmetric[2][j]];
  return result;
}

/// a b for symmetric a.
DEFORMBENCH_INLINE Matrix symmetric_times(const B a[6], const Matrix& b) {
  Matrix result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      result.of[i][j] =
          a[kSymmetric[i][0]] * b.of[0][j] + a[kSymmetric[i][1]] * b.of[1][j] + a[kSymmetric[i][2]] * b.of[2][j];
  return result;
}

/// v C ε
DEFORMBENCH_INLINE void stress_of(const B strain[6], const B& shear, const B& pressure, B stress[6]) {
  const B mean = pressure * (strain[0] + strain[1] + strain[2]);
  for (int k = 0; k < 3; ++k) stress[k] = shear * strain[k] + mean;
  for (int k = 3; k < 6; ++k) stress[k] = shear * strain[k];
}

/// ∂ det F / ∂F
DEFORMBENCH_INLINE Matrix cofactor(const Matrix& f) {
  Matrix result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      result.of[i][j] = f.of[a][c] * f.of[b][d] - f.of[a][d] * f.of[b][c];
    }
  return result;
}

/// Matrix by columns.
struct Columns {
  V of[3] = {};
};

/// Pairs of kRows nodes.
struct Rows {
  const std::uint32_t* others;
  const double* weights;
  std::size_t count;
};

/// Σ_j ω_ij (u_j − u_i) (x_j − x_i)ᵀ of the nodes from `number` on in the block. Displacements are subtracted per pair,
/// so that bodies far from rest lose no digits; x_i is subtracted from the sum, with an error of a few roundings times
/// block size / support.
DEFORMBENCH_INLINE void gather_moments(const Rows& rows, const double* moving, std::size_t number,
                                       Columns sums[kRows]) {
  const double* own = moving + kMoving * number;
  V u[kRows], changes[kRows] = {};
  for (std::size_t r = 0; r < kRows; ++r) u[r] = load<V>(own + kMoving * r);
  for (std::size_t p = 0; p < rows.count; p += kRows)
    for (std::size_t r = 0; r < kRows; ++r) {
      const double* other = moving + kMoving * std::size_t(rows.others[p + r]);
      const V change = rows.weights[p + r] * (load<V>(other) - u[r]);
      changes[r] += change;
      for (int c = 0; c < 3; ++c) sums[r].of[c] += other[4 + c] * change;
    }
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t c = 0; c < 3; ++c) sums[r].of[c] -= own[kMoving * r + 4 + c] * changes[r];
}

/// a + R x with R stored by diagonals: R_00 R_11 R_22, R_01 R_12 R_20, R_02 R_10 R_21. Rotating x in registers is
/// cheaper than reading three entries of it.
DEFORMBENCH_INLINE V plus_diagonals_times(const V& a, const V& d0, const V& d1, const V& d2, const V& x) {
  return a + x * d0 + numerics::rotate_up<double>(x) * d1 + numerics::rotate_down<double>(x) * d2;
}

/// f_j −= ω_ij R_i (x_j − x_i) for all neighbours of the nodes. `diagonals`: of R_i; `turned`: −R_i x_i.
DEFORMBENCH_INLINE void scatter_pulls(const Rows& rows, const double* moving, const V diagonals[3][kRows],
                                      const V turned[kRows], double* forces) {
  for (std::size_t p = 0; p < rows.count; p += kRows)
    for (std::size_t r = 0; r < kRows; ++r) {
      const std::size_t other = rows.others[p + r];
      const V x = load<V>(moving + kMoving * other + 4);
      double* force = forces + kForce * other;
      const V pull = plus_diagonals_times(turned[r], diagonals[0][r], diagonals[1][r], diagonals[2][r], x);
      store(force, load<V>(force) - rows.weights[p + r] * pull);
    }
}

}  // namespace

MlsElasticity::MlsElasticity(const NodeCloud& cloud, const ElasticOptions& options, int threads)
    : cloud_(cloud), options_(options), most_threads_(threads), layout_(cloud, kLanes) {
  follow();
}

void MlsElasticity::follow() {
  layout_ = PairLayout(cloud_, kLanes);
  threads_ = std::clamp(most_threads_, 1,
                        std::max(1, std::min(int(layout_.size() / kNodesForAThread), int(layout_.blocks.size()))));
  const std::size_t slots = layout_.slots();
  has_plastic_strain_ = has_plastic_metric_ = false;
  constants_.assign(kConstants * slots, 0.0);
  plastic_constants_.assign(kPlasticConstants * slots, 0.0);
  edge_sums_.assign(4 * slots, 0.0);
  own_forces_.assign(kForce * slots, 0.0);
  guest_forces_.assign(kForce * layout_.guests.size(), 0.0);
  energies_.assign(slots, 0.0);
  std::size_t most = 0;
  origins_.clear();
  for (const PairLayout::Block& block : layout_.blocks) {
    most = std::max(most, block.count());
    Vector3 sum = Vector3::Zero();
    const std::size_t end = std::min(block.high, layout_.size());
    for (std::size_t place = block.low; place < end; ++place) sum += cloud_.rest.row(layout_.node_of[place]);
    origins_.push_back(sum / double(end - block.low));
  }
  copies_.resize(std::size_t(threads_));
  for (Copies& copies : copies_) {
    copies.moving.assign(kMoving * most, 0.0);
    copies.forces.assign(kForce * most, 0.0);
  }
  for (std::size_t place = 0; place < layout_.size(); ++place) read_node(place);
}

void MlsElasticity::follow(std::span<const int> nodes) {
  if (!layout_.update_weights(cloud_, nodes)) {
    follow();
    return;
  }
  for (const int node : nodes) read_node(layout_.place_of[std::size_t(node)]);
}

void MlsElasticity::set_plastic_strains(std::span<const Matrix3> strains) {
  has_plastic_strain_ = true;
  for (std::size_t place = 0; place < layout_.size(); ++place) {
    const Matrix3& strain = strains[std::size_t(layout_.node_of[place])];
    double* to = plastic_constants_.data() + place / kLanes * kLanes * kPlasticConstants + place % kLanes;
    for (std::size_t k = 0; k < 6; ++k)
      to[(kPlastic + k) * kLanes] = strain(Eigen::Index(k % 3), Eigen::Index(k < 3 ? k : (k + 1) % 3));
  }
}

void MlsElasticity::set_plastic_metric(Eigen::Index node, const Matrix3& metric) {
  has_plastic_metric_ = true;
  const Matrix3& p = cloud_.projections[std::size_t(node)];
  const Matrix3 seen = p * metric * p + (Matrix3::Identity() - p);
  const Matrix3 unstretch = metric_power(seen, -0.5);
  const std::size_t place = layout_.place_of[std::size_t(node)];
  double* to = plastic_constants_.data() + place / kLanes * kLanes * kPlasticConstants + place % kLanes;
  for (std::size_t k = 0; k < 6; ++k)
    to[(kUnstretch + k) * kLanes] = unstretch(Eigen::Index(k % 3), Eigen::Index(k < 3 ? k : (k + 1) % 3));
}

void MlsElasticity::read_node(std::size_t place) {
  const auto i = std::size_t(layout_.node_of[place]);
  double* to = constants_.data() + place / kLanes * kLanes * kConstants + place % kLanes;
  double* plastic = plastic_constants_.data() + place / kLanes * kLanes * kPlasticConstants + place % kLanes;
  const auto put = [&](std::size_t k, double value) { to[k * kLanes] = value; };
  for (std::size_t k = 0; k < 6; ++k) {
    const auto row = Eigen::Index(k % 3), column = Eigen::Index(k < 3 ? k : (k + 1) % 3);
    put(kInverse + k, cloud_.inverse_moments[i](row, column));
    put(kProjection + k, cloud_.projections[i](row, column));
    plastic[(kUnstretch + k) * kLanes] = row == column ? 1.0 : 0.0;
  }
  const PairLayout::Block& block = layout_.block_of(place);
  const Vector3 x = cloud_.rest.row(Eigen::Index(i));
  for (std::size_t c = 0; c < 3; ++c)
    put(kPosition + c, x[Eigen::Index(c)] - origins_[std::size_t(&block - layout_.blocks.data())][Eigen::Index(c)]);
  const model::Material& material = cloud_.materials[i];
  put(kShear, 2 * cloud_.volumes[i] * material.lame_mu());
  put(kPressure, cloud_.volumes[i] * material.lame_lambda());
  put(kVolumeTerm, cloud_.ranks[i] == 3 ? cloud_.volumes[i] * options_.volume_stiffness : 0.0);
  Vector3 sum = Vector3::Zero();
  const PairLayout::Range pairs = layout_.row(place);
  for (std::size_t p = pairs.low; p < pairs.high; p += kRows) {
    const int other = layout_.node_of[layout_.place_in(block, layout_.others[p])];
    sum += layout_.weights[p] * (Vector3(cloud_.rest.row(other)) - x);
  }
  std::copy_n(sum.data(), 3, edge_sums_.data() + 4 * place);
}

void MlsElasticity::copy_nodes(const PairLayout::Block& block, const Eigen::Ref<const Points>& x, bool are_positions,
                               Copies& copies) const {
  const Vector3& centre = origins_[std::size_t(&block - layout_.blocks.data())];
  const V origin{centre[0], centre[1], centre[2], 0.0};
  const double *now = x.data(), *rest = cloud_.rest.data();
  const std::size_t last = layout_.size() - 1;
  constexpr std::size_t kAhead = 16;  // prefetch distance, since nodes are scattered in memory
  double* to = copies.moving.data();
  // The fourth number belongs to the next node and is unused.
  const auto point = [&](const double* points, std::size_t node) {
    const double* p = points + 3 * node;
    return node < last ? load<V>(p) : V{p[0], p[1], p[2], 0.0};
  };
  const auto copy = [&](std::size_t low, std::size_t high, auto&& node_at) {
    for (std::size_t k = low; k < high; ++k, to += kMoving) {
      const std::size_t later = 3 * std::size_t(node_at(std::min(k + kAhead, high - 1)));
      __builtin_prefetch(now + later);
      __builtin_prefetch(rest + later);
      const std::size_t node = std::size_t(node_at(k));
      const V x_now = point(now, node), x_rest = point(rest, node);
      store(to, are_positions ? x_now - x_rest : x_now);
      store(to + 4, x_rest - origin);
    }
  };
  copy(block.low, std::min(block.high, layout_.size()), [&](std::size_t place) { return layout_.node_of[place]; });
  to = copies.moving.data() + kMoving * block.own_count();
  copy(block.guests.low, block.guests.high, [&](std::size_t g) { return layout_.node_of[layout_.guests[g]]; });
  std::fill_n(copies.forces.data(), kForce * block.count(), 0.0);
}

template <MlsElasticity::Pass pass>
void MlsElasticity::pass_over_nodes(const PairLayout::Block& block, Copies& copies) const {
  const bool has_volume_term = options_.volume_stiffness > 0.0;
  const double half = options_.strain == Strain::Green ? 0.5 : 1.0;
  const double* moving = copies.moving.data();
  double* forces = copies.forces.data();
  const auto rows_of = [&](std::size_t place) {
    const std::size_t begin = layout_.first[place / kRows];
    return Rows{layout_.others.data() + begin, layout_.weights.data() + begin,
                layout_.first[place / kRows + 1] - begin};
  };
  alignas(64) double numbers[12][kLanes];
  for (std::size_t first = block.low; first < block.high; first += kLanes) {
    const std::size_t number = first - block.low;
    for (std::size_t l = 0; l < kLanes; l += kRows) {
      Columns sums[kRows];
      gather_moments(rows_of(first + l), moving, number + l, sums);
      for (std::size_t d = 0; d < 3; ++d) {
        numerics::transpose4<double>(sums[0].of[d], sums[1].of[d], sums[2].of[d], sums[3].of[d]);
        for (std::size_t k = 0; k < 3; ++k) store(numbers[3 * d + k] + l, sums[k].of[d]);
      }
    }
    const double* constants = constants_.data() + kConstants * first;
    const double* plastic = plastic_constants_.data() + kPlasticConstants * first;
    const auto constant = [&](std::size_t k) { return load<B>(constants + k * kLanes); };
    const auto plastic_constant = [&](std::size_t k) { return load<B>(plastic + k * kLanes); };
    B inverse[6], projection[6], unstretch[6], strain[6], stress[6];
    for (std::size_t k = 0; k < 6; ++k) inverse[k] = constant(kInverse + k), projection[k] = constant(kProjection + k);
    if (has_plastic_metric_)
      for (std::size_t k = 0; k < 6; ++k) unstretch[k] = plastic_constant(kUnstretch + k);
    Matrix moments;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) moments.of[i][j] = load<B>(numbers[3 * j + i]);
    Matrix f = times_symmetric(moments, inverse), q;
    if constexpr (pass == Pass::Stiffness) {
      f = symmetric_times(projection, f);  // P ∇u: change of F relative to rest
      const B volume_change = f.of[0][0] + f.of[1][1] + f.of[2][2];
      if (has_plastic_metric_) f = symmetric_times(unstretch, times_symmetric(f, unstretch));
      for (int k = 0; k < 6; ++k) {
        const int i = k % 3, j = k < 3 ? k : (k + 1) % 3;
        strain[k] = half * (f.of[i][j] + f.of[j][i]);
      }
      stress_of(strain, constant(kShear), constant(kPressure), stress);
      Matrix stresses;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) stresses.of[i][j] = (2 * half) * stress[kSymmetric[i][j]];
      if (has_plastic_metric_) stresses = symmetric_times(unstretch, times_symmetric(stresses, unstretch));
      q = symmetric_times(projection, stresses);
      if (has_volume_term) {
        const B change = constant(kVolumeTerm) * volume_change;
        for (int i = 0; i < 3; ++i) q.of[i][i] = q.of[i][i] + change;
      }
    } else {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) f.of[i][j] = f.of[i][j] + projection[kSymmetric[i][j]];
      if (has_plastic_metric_) f = times_symmetric(f, unstretch);
      for (int k = 0; k < 6; ++k) {
        const int i = k % 3, j = k < 3 ? k : (k + 1) % 3;
        strain[k] =
            half * (f.of[0][i] * f.of[0][j] + f.of[1][i] * f.of[1][j] + f.of[2][i] * f.of[2][j] - projection[k]);
      }
      if (has_plastic_strain_)
        for (std::size_t k = 0; k < 6; ++k) strain[k] = strain[k] - plastic_constant(kPlastic + k);
      stress_of(strain, constant(kShear), constant(kPressure), stress);
      Matrix cofactors;
      B change{};
      if (has_volume_term) {
        cofactors = cofactor(f);
        change =
            f.of[0][0] * cofactors.of[0][0] + f.of[0][1] * cofactors.of[0][1] + f.of[0][2] * cofactors.of[0][2] - 1.0;
      }
      if constexpr (pass == Pass::Energy) {
        B energy = strain[0] * stress[0] + strain[1] * stress[1] + strain[2] * stress[2] +
                   2.0 * (strain[3] * stress[3] + strain[4] * stress[4] + strain[5] * stress[5]);
        if (has_volume_term) energy = energy + constant(kVolumeTerm) * (change * change);
        store(energies_.data() + first, B(0.5 * energy));
        continue;
      }
      for (B& s : stress) s = (2 * half) * s;
      q = times_symmetric(f, stress);
      if (has_volume_term) {
        change = constant(kVolumeTerm) * change;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) q.of[i][j] = q.of[i][j] + change * cofactors.of[i][j];
      }
      if (has_plastic_metric_) q = times_symmetric(q, unstretch);
    }
    const Matrix r = times_symmetric(q, inverse);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) store(numbers[3 * j + i], r.of[i][(i + j) % 3]);
    for (int i = 0; i < 3; ++i)
      store(numbers[9 + i], B(-(r.of[i][0] * constant(kPosition)) - r.of[i][1] * constant(kPosition + 1) -
                              r.of[i][2] * constant(kPosition + 2)));
    for (std::size_t l = 0; l < kLanes; l += kRows) {
      V parts[4][kRows];  // diagonals of R, then −R x
      for (std::size_t c = 0; c < 4; ++c) {
        for (std::size_t k = 0; k < 3; ++k) parts[c][k] = load<V>(numbers[3 * c + k] + l);
        parts[c][3] = V{};
        numerics::transpose4<double>(parts[c][0], parts[c][1], parts[c][2], parts[c][3]);
      }
      for (std::size_t k = 0; k < kRows; ++k) {
        double* force = forces + kForce * (number + l + k);
        const V edges = load<V>(edge_sums_.data() + 4 * (first + l + k));
        store(force, plus_diagonals_times(load<V>(force), parts[0][k], parts[1][k], parts[2][k], edges));
      }
      scatter_pulls(rows_of(first + l), moving, parts, parts[3], forces);
    }
  }
}

void MlsElasticity::keep_forces(const PairLayout::Block& block, const Copies& copies) const {
  const double* guests = copies.forces.data() + kForce * block.own_count();
  std::copy(copies.forces.data(), guests, own_forces_.data() + kForce * block.low);
  std::copy_n(guests, kForce * (block.guests.high - block.guests.low),
              guest_forces_.data() + kForce * block.guests.low);
}

void MlsElasticity::add_up_forces(const PairLayout::Block& block, double sign, Points& result) const {
  double* own = own_forces_.data();
  for (const PairLayout::Range& range : block.elsewhere)
    for (std::size_t g = range.low; g < range.high; ++g) {
      double* to = own + kForce * layout_.guests[g];
      store(to, load<V>(to) + load<V>(guest_forces_.data() + kForce * g));
    }
  for (std::size_t place = block.low; place < std::min(block.high, layout_.size()); ++place) {
    double* to = result.data() + 3 * std::size_t(layout_.node_of[place]);
    for (std::size_t c = 0; c < 3; ++c) to[c] = sign * own[kForce * place + c];
  }
}

template <MlsElasticity::Pass pass>
void MlsElasticity::run(const Eigen::Ref<const Points>& x, Points* result) const {
  numerics::Barrier barrier(threads_);
  const std::size_t blocks = layout_.blocks.size(), threads = std::size_t(threads_);
  numerics::run_team(threads_, [&](int t) {
    const std::size_t low = blocks * std::size_t(t) / threads, high = blocks * (std::size_t(t) + 1) / threads;
    Copies& copies = copies_[std::size_t(t)];
    for (std::size_t b = low; b < high; ++b) {
      const PairLayout::Block& block = layout_.blocks[b];
      copy_nodes(block, x, pass != Pass::Stiffness, copies);
      pass_over_nodes<pass>(block, copies);
      if constexpr (pass != Pass::Energy) keep_forces(block, copies);
    }
    if constexpr (pass != Pass::Energy) {
      barrier.arrive_and_wait(t);
      for (std::size_t b = low; b < high; ++b)
        add_up_forces(layout_.blocks[b], pass == Pass::Stiffness ? -1.0 : 1.0, *result);
    }
  });
}

Matrix3 MlsElasticity::deformation_gradient(Eigen::Index node, const Eigen::Ref<const Points>& x) const {
  const auto i = std::size_t(node);
  const Vector3 own = x.row(node) - cloud_.rest.row(node);
  Matrix3 f = cloud_.projections[i];
  for (std::size_t p = cloud_.first[i]; p < cloud_.first[i + 1]; ++p) {
    const Eigen::Index j = cloud_.neighbours[p];
    f += (Vector3(x.row(j) - cloud_.rest.row(j)) - own) * cloud_.gradients[p].transpose();
  }
  return f;
}

Matrix3 MlsElasticity::strain(Eigen::Index node, const Eigen::Ref<const Points>& x) const {
  const Matrix3 f = deformation_gradient(node, x);
  const double factor = options_.strain == Strain::Green ? 0.5 : 1.0;
  return factor * (f.transpose() * f - cloud_.projections[std::size_t(node)]);
}

Matrix3 MlsElasticity::stress(Eigen::Index node, const Eigen::Ref<const Points>& x) const {
  const model::Material& material = cloud_.materials[std::size_t(node)];
  Matrix3 elastic = strain(node, x) - plastic_constant(node, kPlastic);
  if (has_plastic_metric_) {
    const double factor = options_.strain == Strain::Green ? 0.5 : 1.0;
    const Matrix3 f = deformation_gradient(node, x) * plastic_constant(node, kUnstretch);
    elastic = factor * (f.transpose() * f - cloud_.projections[std::size_t(node)]);
  }
  return 2 * material.lame_mu() * elastic + material.lame_lambda() * elastic.trace() * Matrix3::Identity();
}

Matrix3 MlsElasticity::plastic_constant(Eigen::Index node, std::size_t first) const {
  const std::size_t place = layout_.place_of[std::size_t(node)];
  const double* from = plastic_constants_.data() + place / kLanes * kLanes * kPlasticConstants + place % kLanes;
  Matrix3 result;
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) result(i, j) = from[(first + std::size_t(kSymmetric[i][j])) * kLanes];
  return result;
}

double MlsElasticity::energy(const Eigen::Ref<const Points>& x) const {
  run<Pass::Energy>(x, nullptr);
  double sum = 0.0;
  for (std::size_t place = 0; place < layout_.size(); ++place) sum += energies_[place];
  return sum;
}

double MlsElasticity::energy_of(const Eigen::Ref<const Points>& x, std::span<const int> nodes) const {
  run<Pass::Energy>(x, nullptr);
  double sum = 0.0;
  for (const int node : nodes) sum += energies_[std::size_t(layout_.place_of[std::size_t(node)])];
  return sum;
}

void MlsElasticity::forces(const Eigen::Ref<const Points>& x, Points& result) const {
  run<Pass::Forces>(x, &result);
}

Points MlsElasticity::forces(const Eigen::Ref<const Points>& x) const {
  Points result(cloud_.size(), 3);
  forces(x, result);
  return result;
}

Points MlsElasticity::stiffness_times(const Eigen::Ref<const Points>& u) const {
  Points result(cloud_.size(), 3);
  run<Pass::Stiffness>(u, &result);
  return result;
}

}  // namespace deformbench::meshless
