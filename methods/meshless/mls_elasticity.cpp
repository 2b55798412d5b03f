// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/mls_elasticity.hpp"

#include <algorithm>

#include "methods/meshless/strain_plasticity.hpp"
#include "methods/numerics/lanes.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::meshless {

using numerics::load;
using numerics::store;

namespace {

using B = numerics::Batch<double>;
using V = numerics::Pack<double, 4>;
constexpr std::size_t kLanes = std::size_t(numerics::lane_count<double>);
constexpr std::size_t kMoving = 8, kPull = 12;  // numbers a place
constexpr std::size_t kNodesForAThread = 256;   // with fewer, threads wait longer than they work

// Constants of a node: A⁺, P, ε_p and B (xx yy zz xy yz zx), x, 2 v μ, v λ, v k_v.
enum Constant : std::size_t {
  kInverse = 0,
  kProjection = 6,
  kPlastic = 12,
  kUnstretch = 18,
  kPosition = 24,
  kShear = 27,
  kPressure,
  kVolumeTerm,
  kConstants
};

/// Of a symmetric matrix (xx yy zz xy yz zx): where entry (i, j) stands.
constexpr int kSymmetric[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

struct Matrix {
  B of[3][3];
};

/// a b, b symmetric.
DEFORMBENCH_INLINE Matrix times_symmetric(const Matrix& a, const B b[6]) {
  Matrix result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      result.of[i][j] =
          a.of[i][0] * b[kSymmetric[0][j]] + a.of[i][1] * b[kSymmetric[1][j]] + a.of[i][2] * b[kSymmetric[2][j]];
  return result;
}

/// a b, a symmetric.
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

/// Columns of a matrix.
struct Columns {
  V of[3] = {};
};

/// Σ_j ω_ij (u_j − u_i) (x_j − x_i)ᵀ of the row. Displacements are subtracted pair by pair, so that a body far from
/// rest loses no digits; positions after the sums, which leaves an error of some roundings times the body over a
/// support.
DEFORMBENCH_INLINE Columns gather_moments(const PairLayout::Rows& rows, const double* moving, std::size_t place) {
  const double* own = moving + kMoving * place;
  const V u = load<V>(own);
  Columns sums[2];
  V changes[2] = {};
  const std::uint32_t* places = rows.places.data();
  const double* weights = rows.weights.data();
  for (std::size_t p = rows.first[place], end = rows.end(place); p < end; p += PairLayout::kRowMultiple)
    for (std::size_t k = 0; k < PairLayout::kRowMultiple; ++k) {
      const double* other = moving + kMoving * std::size_t(places[p + k]);
      const V change = weights[p + k] * (load<V>(other) - u);
      changes[k % 2] += change;
      for (int c = 0; c < 3; ++c) sums[k % 2].of[c] += other[4 + c] * change;
    }
  const V total = changes[0] + changes[1];
  for (int c = 0; c < 3; ++c) sums[0].of[c] = (sums[0].of[c] + sums[1].of[c]) - own[4 + c] * total;
  return sums[0];
}

}  // namespace

MlsElasticity::MlsElasticity(const NodeCloud& cloud, const ElasticOptions& options, int threads)
    : cloud_(cloud), options_(options), most_threads_(threads), layout_(cloud, kLanes) {
  follow();
}

void MlsElasticity::follow() {
  layout_ = PairLayout(cloud_, kLanes);
  threads_ = std::clamp(most_threads_, 1, std::max(1, int(layout_.size() / kNodesForAThread)));
  const std::size_t slots = layout_.slots();
  has_plastic_strain_ = has_plastic_metric_ = false;
  constants_.assign(kConstants * slots, 0.0);
  edge_sums_.assign(4 * slots, 0.0);
  moving_.assign(kMoving * slots, 0.0);
  pulls_.assign(kPull * slots, 0.0);
  energies_.assign(slots, 0.0);
  origin_ = 0.5 * (cloud_.rest.colwise().minCoeff() + cloud_.rest.colwise().maxCoeff());
  for (std::size_t place = 0; place < layout_.size(); ++place)
    for (std::size_t c = 0; c < 3; ++c)
      moving_[kMoving * place + 4 + c] =
          cloud_.rest(layout_.node_of[place], Eigen::Index(c)) - origin_[Eigen::Index(c)];
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
    double* to = constants_.data() + place / kLanes * kLanes * kConstants + place % kLanes;
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
  double* to = constants_.data() + place / kLanes * kLanes * kConstants + place % kLanes;
  for (std::size_t k = 0; k < 6; ++k)
    to[(kUnstretch + k) * kLanes] = unstretch(Eigen::Index(k % 3), Eigen::Index(k < 3 ? k : (k + 1) % 3));
}

void MlsElasticity::read_node(std::size_t place) {
  const auto i = std::size_t(layout_.node_of[place]);
  double* to = constants_.data() + place / kLanes * kLanes * kConstants + place % kLanes;
  const auto put = [&](std::size_t k, double value) { to[k * kLanes] = value; };
  for (std::size_t k = 0; k < 6; ++k) {
    const auto row = Eigen::Index(k % 3), column = Eigen::Index(k < 3 ? k : (k + 1) % 3);
    put(kInverse + k, cloud_.inverse_moments[i](row, column));
    put(kProjection + k, cloud_.projections[i](row, column));
    put(kUnstretch + k, row == column ? 1.0 : 0.0);
  }
  const double* position = moving_.data() + kMoving * place + 4;
  for (std::size_t c = 0; c < 3; ++c) put(kPosition + c, position[c]);
  const model::Material& material = cloud_.materials[i];
  put(kShear, 2 * cloud_.volumes[i] * material.lame_mu());
  put(kPressure, cloud_.volumes[i] * material.lame_lambda());
  put(kVolumeTerm, cloud_.ranks[i] == 3 ? cloud_.volumes[i] * options_.volume_stiffness : 0.0);
  V sum{};
  const V x = load<V>(position);
  for (std::size_t p = layout_.owned.first[place]; p < layout_.owned.end(place); ++p)
    sum += layout_.owned.weights[p] * (load<V>(moving_.data() + kMoving * layout_.owned.places[p] + 4) - x);
  store(edge_sums_.data() + 4 * place, sum);
}

void MlsElasticity::place_displacements(const Eigen::Ref<const Points>& x, bool are_positions, std::size_t low,
                                        std::size_t high) const {
  for (std::size_t place = low; place < std::min(high, layout_.size()); ++place) {
    double* to = moving_.data() + kMoving * place;
    const double* from = x.data() + 3 * std::size_t(layout_.node_of[place]);
    const auto node = Eigen::Index(layout_.node_of[place]);
    for (std::size_t c = 0; c < 3; ++c) to[c] = are_positions ? from[c] - cloud_.rest(node, Eigen::Index(c)) : from[c];
  }
}

template <MlsElasticity::Pass pass>
void MlsElasticity::pass_over_nodes(std::size_t low, std::size_t high) const {
  const bool has_volume_term = options_.volume_stiffness > 0.0;
  const double half = options_.strain == Strain::Green ? 0.5 : 1.0;
  alignas(64) double numbers[12][kLanes];
  for (std::size_t first = low; first < high; first += kLanes) {
    for (std::size_t l = 0; l < kLanes; l += 4) {
      Columns sums[4];
      for (std::size_t k = 0; k < 4; ++k) sums[k] = gather_moments(layout_.owned, moving_.data(), first + l + k);
      for (std::size_t d = 0; d < 3; ++d) {
        numerics::transpose4<double>(sums[0].of[d], sums[1].of[d], sums[2].of[d], sums[3].of[d]);
        for (std::size_t k = 0; k < 3; ++k) store(numbers[3 * d + k] + l, sums[k].of[d]);
      }
    }
    const double* constants = constants_.data() + kConstants * first;
    const auto constant = [&](std::size_t k) { return B::from(constants + k * kLanes); };
    B inverse[6], projection[6], unstretch[6], strain[6], stress[6];
    for (std::size_t k = 0; k < 6; ++k) inverse[k] = constant(kInverse + k), projection[k] = constant(kProjection + k);
    if (has_plastic_metric_)
      for (std::size_t k = 0; k < 6; ++k) unstretch[k] = constant(kUnstretch + k);
    Matrix moments;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) moments.of[i][j] = B::from(numbers[3 * j + i]);
    Matrix f = times_symmetric(moments, inverse), q;
    if constexpr (pass == Pass::Stiffness) {
      f = symmetric_times(projection, f);  // P ∇u: what F changes by as seen from rest
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
        for (std::size_t k = 0; k < 6; ++k) strain[k] = strain[k] - constant(kPlastic + k);
      stress_of(strain, constant(kShear), constant(kPressure), stress);
      Matrix cofactors;
      B change = B::all(0.0);
      if (has_volume_term) {
        cofactors = cofactor(f);
        change = f.of[0][0] * cofactors.of[0][0] + f.of[0][1] * cofactors.of[0][1] + f.of[0][2] * cofactors.of[0][2] -
                 B::all(1.0);
      }
      if constexpr (pass == Pass::Energy) {
        B energy = strain[0] * stress[0] + strain[1] * stress[1] + strain[2] * stress[2] +
                   2.0 * (strain[3] * stress[3] + strain[4] * stress[4] + strain[5] * stress[5]);
        if (has_volume_term) energy = energy + constant(kVolumeTerm) * (change * change);
        (0.5 * energy).to(energies_.data() + first);
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
      for (int j = 0; j < 3; ++j) r.of[i][j].to(numbers[4 * j + i]);
    for (int i = 0; i < 3; ++i)
      (r.of[i][0] * constant(kPosition) + r.of[i][1] * constant(kPosition + 1) + r.of[i][2] * constant(kPosition + 2))
          .to(numbers[4 * i + 3]);
    for (std::size_t l = 0; l < kLanes; l += 4)
      for (std::size_t c = 0; c < 3; ++c) {
        V rows[4];
        for (std::size_t k = 0; k < 4; ++k) rows[k] = load<V>(numbers[4 * c + k] + l);
        numerics::transpose4<double>(rows[0], rows[1], rows[2], rows[3]);
        for (std::size_t k = 0; k < 4; ++k) store(pulls_.data() + kPull * (first + l + k) + 4 * c, rows[k]);
      }
  }
}

/// f_j = Σ_i ω_ij R_i x_i − (Σ_i ω_ij R_i) x_j + R_j Σ_k ω_jk (x_k − x_j), times `sign`.
void MlsElasticity::gather_forces(double sign, std::size_t low, std::size_t high, Points& result) const {
  const double* pulls = pulls_.data();
  const std::uint32_t* places = layout_.met.places.data();
  const double* weights = layout_.met.weights.data();
  for (std::size_t place = low; place < std::min(high, layout_.size()); ++place) {
    Columns sums[2];
    for (std::size_t p = layout_.met.first[place], end = layout_.met.end(place); p < end; p += PairLayout::kRowMultiple)
      for (std::size_t k = 0; k < PairLayout::kRowMultiple; ++k) {
        const double* other = pulls + kPull * std::size_t(places[p + k]);
        for (int c = 0; c < 3; ++c) sums[k % 2].of[c] += weights[p + k] * load<V>(other + 4 * c);
      }
    const double* own = pulls + kPull * place;
    const double *x = moving_.data() + kMoving * place + 4, *edges = edge_sums_.data() + 4 * place;
    V sum{};
    double moved[3];  // Σ ω R x
    for (int c = 0; c < 3; ++c) {
      const V column = sums[0].of[c] + sums[1].of[c];
      moved[c] = column[3];
      sum += edges[c] * load<V>(own + 4 * c) - x[c] * column;
    }
    double* to = result.data() + 3 * std::size_t(layout_.node_of[place]);
    for (int c = 0; c < 3; ++c) to[c] = sign * (sum[c] + moved[c]);
  }
}

template <MlsElasticity::Pass pass>
void MlsElasticity::run(const Eigen::Ref<const Points>& x, Points* result) const {
  numerics::Barrier barrier(threads_);
  const std::size_t batches = layout_.slots() / kLanes, threads = std::size_t(threads_);
  numerics::run_team(threads_, [&](int t) {
    const std::size_t low = batches * std::size_t(t) / threads * kLanes;
    const std::size_t high = batches * (std::size_t(t) + 1) / threads * kLanes;
    place_displacements(x, pass != Pass::Stiffness, low, high);
    barrier.arrive_and_wait(t);
    pass_over_nodes<pass>(low, high);
    if constexpr (pass != Pass::Energy) {
      barrier.arrive_and_wait(t);
      gather_forces(pass == Pass::Stiffness ? -1.0 : 1.0, low, high, *result);
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
  Matrix3 elastic = strain(node, x) - symmetric_constant(node, kPlastic);
  if (has_plastic_metric_) {
    const double factor = options_.strain == Strain::Green ? 0.5 : 1.0;
    const Matrix3 f = deformation_gradient(node, x) * symmetric_constant(node, kUnstretch);
    elastic = factor * (f.transpose() * f - cloud_.projections[std::size_t(node)]);
  }
  return 2 * material.lame_mu() * elastic + material.lame_lambda() * elastic.trace() * Matrix3::Identity();
}

Matrix3 MlsElasticity::symmetric_constant(Eigen::Index node, std::size_t first) const {
  const std::size_t place = layout_.place_of[std::size_t(node)];
  const double* from = constants_.data() + place / kLanes * kLanes * kConstants + place % kLanes;
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
