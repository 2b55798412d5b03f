// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/elasticity/warped_elements.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "methods/fem/elasticity/batched_plasticity.hpp"
#include "methods/fem/elasticity/element_batches.hpp"
#include "methods/fem/fracture/fracture_rule.hpp"
#include "methods/numerics/batched_polar.hpp"
#include "methods/numerics/lanes.hpp"

namespace deformbench::fem {

using numerics::lane_count;

namespace {

/// R of a batch by a rule other than the plain polar one; q: quaternions of the last pass in, of this one out.
template <class T>
[[gnu::noinline]] void extract_rotations(const RotationRule& rule, const Matrix3& global, const numerics::Batch<T> f[9],
                                         numerics::Batch<T> q[4], numerics::Batch<T> r[9]) {
  constexpr int lanes = lane_count<T>;
  using P = numerics::Batch<T>;
  if (rule.kind == RotationKind::Identity || rule.kind == RotationKind::Global) {
    const Matrix3 given = rule.kind == RotationKind::Global ? global : Matrix3(Matrix3::Identity());
    for (int k = 0; k < 9; ++k) r[k] = P::all(T(given(k / 3, k % 3)));
    return;
  }
  if (rule.kind == RotationKind::Qr) {
    T matrices[9 * lanes];
    for (int k = 0; k < 9; ++k) f[k].to(matrices + k * lanes);
    for (int lane = 0; lane < lanes; ++lane) {
      Matrix3 matrix;
      for (int k = 0; k < 9; ++k) matrix(k / 3, k % 3) = double(matrices[k * lanes + lane]);
      const Matrix3 rotation = numerics::gram_schmidt_rotation(matrix, rule.keep_reflection);
      for (int k = 0; k < 9; ++k) matrices[k * lanes + lane] = T(rotation(k / 3, k % 3));
    }
    for (int k = 0; k < 9; ++k) r[k] = P::from(matrices + k * lanes);
    return;
  }
  // F = (−R) S with det F < 0: R is the rotation of −F.
  const P determinant =
      f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) + f[2] * (f[3] * f[7] - f[4] * f[6]);
  const P sign = numerics::where_less<T>(determinant, P::all(T(0)), T(-1), T(1));
  P signed_f[9];
  for (int k = 0; k < 9; ++k) signed_f[k] = f[k] * sign;
  numerics::batched_polar<T>(signed_f, q, r);
  for (int k = 0; k < 9; ++k) r[k] = r[k] * sign;
}

}  // namespace

template <class T>
WarpedElements<T>::WarpedElements(const Scene& scene, const MeshGraph& graph, RotationRule rule, double scale)
    : graph_(&graph), rule_(rule), scale_(scale) {
  constexpr int lanes = lane_count<T>;
  const int elements = graph.element_count();
  batches_ = (elements + lanes - 1) / lanes;
  const std::size_t slots = std::size_t(batches_) * lanes;
  gradients_.resize(9 * slots);
  quaternions_.resize(4 * slots);
  rotated_.resize(12 * slots + 4);
  rest_force_.resize(slots);
  ratios_.resize(slots);
  slot_of_.resize(std::size_t(elements));
  for (int slot = 0; slot < elements; ++slot) slot_of_[std::size_t(graph.element_of[std::size_t(slot)])] = slot;

  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (std::size_t k = 0; k < 4; ++k)
      quaternions_[slot / lanes * 4 * lanes + k * lanes + slot % lanes] = T(k == 0 ? 1 : 0);
    const int element = graph.element_of[std::min(slot, std::size_t(elements) - 1)];  // the last fills its batch
    write_slot(slot, scene.material_of(element), rest_element(scene.tet_mesh, element));
  }
  if (elements > 0) ratio_ = ratios_[0];
  for (const T ratio : ratios_)
    uniform_ratio_ =
        uniform_ratio_ && std::abs(ratio - ratio_) <= 4 * std::numeric_limits<T>::epsilon() * std::abs(ratio_);
  read_topology();
  refresh_traces();
}

/// The gradients as scaled, with R = I; the plastic strain and parameters of the slot stay.
template <class T>
void WarpedElements<T>::write_slot(std::size_t slot, const model::Material& material, const RestElement& rest) {
  constexpr std::size_t lanes = lane_count<T>;
  const double root = std::sqrt(scale_ * material.lame_mu() * rest.volume);
  const double ratio = material.lame_lambda() / material.lame_mu();
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t k = 0; k < 3; ++k) {
      const T b = T(root * rest.gradients(Eigen::Index(k), Eigen::Index(a)));
      if (a > 0) gradients_[slot / lanes * 9 * lanes + (3 * (a - 1) + k) * lanes + slot % lanes] = b;
      rotated_[12 * slot + 3 * a + k] = b;
    }
  }
  rest_force_[slot] = T(root * (3.0 * ratio + 2.0));
  ratios_[slot] = T(ratio);
  if (!inverse_root_.empty()) inverse_root_[slot] = T(1.0 / root);
  if (!limit_.empty()) limit_[slot] = T(threshold_ / material.lame_mu());
}

template <class T>
std::array<double, 11> WarpedElements<T>::stored_stiffness(int element) const {
  constexpr std::size_t lanes = lane_count<T>;
  const std::size_t slot = std::size_t(slot_of_[std::size_t(element)]);
  std::array<double, 11> stored{};
  for (std::size_t k = 0; k < 9; ++k)
    stored[k] = double(gradients_[slot / lanes * 9 * lanes + k * lanes + slot % lanes]);
  stored[9] = double(rest_force_[slot]);
  stored[10] = double(ratios_[slot]);
  return stored;
}

template <class T>
void WarpedElements<T>::read_topology() {
  const MeshGraph& graph = *graph_;
  const std::size_t slots = rest_force_.size();
  corners_.resize(4 * slots);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const std::size_t source = std::min(slot, std::size_t(graph.element_count()) - 1);
    for (std::size_t a = 0; a < 4; ++a) corners_[4 * slot + a] = 4 * unsigned(graph.corners[4 * source + a]);
  }
  pairs_.resize(graph.edge_places.size());
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const unsigned place = unsigned(graph.edge_places[k]), corner = place >> 2;
    pairs_[k] = {3 * corner, 3 * ((corner & ~3u) | (place & 3u))};
  }
}

namespace {

/// Where B_a of a corner 4·slot + a is kept in the batches; corner 0 is minus the sum of the others.
template <class T>
Vector3 scaled_gradient(const numerics::AlignedVector<T>& gradients, std::size_t corner) {
  constexpr std::size_t lanes = lane_count<T>;
  const std::size_t slot = corner / 4, a = corner % 4;
  const T* batch = gradients.data() + slot / lanes * 9 * lanes + slot % lanes;
  const auto column = [&](std::size_t c) {
    return Vector3(double(batch[3 * c * lanes]), double(batch[(3 * c + 1) * lanes]),
                   double(batch[(3 * c + 2) * lanes]));
  };
  return a > 0 ? column(a - 1) : Vector3(-(column(0) + column(1) + column(2)));
}

}  // namespace

template <class T>
void WarpedElements<T>::trace_edge(std::size_t edge) {
  double sum = 0.0;
  for (int k = graph_->edge_start[edge]; k < graph_->edge_start[edge + 1]; ++k) {
    const std::size_t place = std::size_t(graph_->edge_places[std::size_t(k)]), corner = place >> 2;
    sum +=
        scaled_gradient(gradients_, corner).dot(scaled_gradient(gradients_, (corner & ~std::size_t(3)) | (place & 3)));
  }
  edge_trace_[edge] = T(sum);
}

template <class T>
void WarpedElements<T>::refresh_traces() {
  edge_trace_.resize(std::size_t(graph_->edges.edge_count()));
  for (std::size_t edge = 0; edge < edge_trace_.size(); ++edge) trace_edge(edge);
}

template <class T>
void WarpedElements<T>::set_material(int element, const model::Material& material, const RestElement& rest) {
  for_each_slot_of(element, [&](std::size_t slot) { write_slot(slot, material, rest); });
  const std::size_t slot = std::size_t(slot_of_[std::size_t(element)]);
  uniform_ratio_ =
      uniform_ratio_ && std::abs(ratios_[slot] - ratio_) <= 4 * std::numeric_limits<T>::epsilon() * std::abs(ratio_);
}

template <class T>
void WarpedElements<T>::follow(const GraphChange& change) {
  read_topology();
  change.carry_edges(edge_trace_);
  for (const int edge : change.edges) trace_edge(std::size_t(edge));
}

template <class T>
void WarpedElements<T>::set_plastic_law(const PlasticLaw& law, double time_step) {
  const std::size_t slots = rest_force_.size();
  plastic_ = true;
  law_ = law;
  time_step_ = time_step;
  strains_.assign(6 * slots, T(0));
  next_strains_ = strains_;
  forces_.assign(12 * slots + 4, T(0));
  yield_.assign(slots, std::numeric_limits<T>::max());
  fraction_.assign(slots, T(0));
  max_ = yield_;
  set_inverse_roots();
}

template <class T>
void WarpedElements<T>::set_inverse_roots() {
  inverse_root_.resize(rest_force_.size());
  for (std::size_t slot = 0; slot < rest_force_.size(); ++slot)
    inverse_root_[slot] = (T(3) * ratios_[slot] + T(2)) / rest_force_[slot];
}

template <class T>
void WarpedElements<T>::set_plastic_parameters(int element, const PlasticParameters& parameters) {
  // Squares of limits must stay finite in the arithmetic of the pass.
  const double largest = std::sqrt(double(std::numeric_limits<T>::max())) / 2.0;
  for_each_slot_of(element, [&](std::size_t slot) {
    yield_[slot] = T(std::min(parameters.yield, largest));
    fraction_[slot] = T(flow_fraction(law_.rate, parameters.creep, time_step_));
    max_[slot] = T(std::min(parameters.max, largest));
  });
}

template <class T>
void WarpedElements<T>::set_fracture_threshold(const Scene& scene, double threshold) {
  tests_stress_ = true;
  threshold_ = threshold;
  limit_.resize(rest_force_.size());
  set_inverse_roots();
  for (int element = 0; element < graph_->element_count(); ++element)
    for_each_slot_of(element,
                     [&](std::size_t slot) { limit_[slot] = T(threshold / scene.material_of(element).lame_mu()); });
  if (quaternions_suffice())
    previous_quaternions_ = quaternions_;
  else
    previous_rotated_ = rotated_;
}

template <class T>
void WarpedElements<T>::pass(const T* x, int low, int high, const Matrix3& global,
                             const std::optional<StressTest>& test, std::vector<Suspect>* suspects) {
  const bool polar = rule_.kind == RotationKind::Polar && !rule_.keep_reflection;
  if (rule_.kind == RotationKind::Identity && !plastic_ && !tests_stress_) return;  // the constructor left R = I
  // One lean loop a case: what a batch needs must fit the registers.
  const auto run = [&]<bool Polar, bool Plastic>() {
    if (tests_stress_)
      pass_batches<Polar, Plastic, true>(x, low, high, global, test, suspects);
    else
      pass_batches<Polar, Plastic, false>(x, low, high, global, test, suspects);
  };
  if (polar && plastic_)
    run.template operator()<true, true>();
  else if (polar)
    run.template operator()<true, false>();
  else if (plastic_)
    run.template operator()<false, true>();
  else
    run.template operator()<false, false>();
}

namespace {

/// Largest principal value of (λ/μ) tr(e) I + 2 e over threshold/μ: of the stress over the threshold.
double share_of_threshold(const Vector6& e, double ratio, double limit) {
  Vector6 stress = 2.0 * e;
  stress.head<3>().array() += ratio * e.head<3>().sum();
  return largest_principal(stress) / limit;
}

}  // namespace

template <class T>
[[gnu::noinline]] void WarpedElements<T>::report_suspects(std::size_t first, const numerics::BatchMask<T>& mask,
                                                          const numerics::Batch<T> strain[6],
                                                          std::vector<Suspect>& suspects) const {
  constexpr int lanes = lane_count<T>;
  // What the bound let through by its margin, or by two equal principal stresses, is left to the exact test.
  const double nearly_one = sizeof(T) == 8 ? 1.0 - 1e-7 : 1.0 - 1e-3;
  T numbers[6][lanes];
  for (int k = 0; k < 6; ++k) strain[k].to(numbers[k]);
  for (int lane = 0; lane < lanes; ++lane) {
    const std::size_t slot = first + std::size_t(lane);
    if (!mask.lane(lane) || int(slot) >= graph_->element_count()) continue;
    Vector6 e;
    for (int k = 0; k < 6; ++k) e[k] = double(numbers[k][lane]);
    const double share = share_of_threshold(e, double(ratios_[slot]), double(limit_[slot]));
    if (share > nearly_one) suspects.push_back({graph_->element_of[slot], share * threshold_});
  }
}

template <class T>
template <bool Polar, bool Plastic, bool Tested>
void WarpedElements<T>::pass_batches(const T* x, int low, int high, const Matrix3& global,
                                     const std::optional<StressTest>& test, std::vector<Suspect>* suspects) {
  constexpr int lanes = lane_count<T>;
  using P = numerics::Batch<T>;
  const bool identity = !Polar && rule_.kind == RotationKind::Identity;
  const T sign = T(law_.force_sign());

  for (int batch = low; batch < high; ++batch) {
    const std::size_t first = std::size_t(batch) * lanes;  // slot
    P b[9], f[9], r[9];
    for (int k = 0; k < 9; ++k) b[k] = P::from(gradients_.data() + 9 * first + std::size_t(k) * lanes);
    gather_gradients<T>(x, corners_.data() + 4 * first, b, f);
    T* quaternions = quaternions_.data() + 4 * first;
    P q[4];
    for (int k = 0; k < 4; ++k) q[k] = P::from(quaternions + k * lanes);
    if constexpr (Tested) keep_previous(first);

    const auto screen = [&] {
      P strain[6];
      batched_strain<T>(r, f, P::from(inverse_root_.data() + first), strain);
      if (Plastic && test->elastic_strain)
        for (int k = 0; k < 6; ++k)
          strain[k] = strain[k] - P::from(strains_.data() + 6 * first + std::size_t(k) * lanes);
      const auto mask = stress_may_exceed<T>(strain, P::from(ratios_.data() + first), P::from(limit_.data() + first));
      if (numerics::all_set(~mask)) [[likely]]
        return;
      report_suspects(first, mask, strain, *suspects);
    };
    if (Tested && test && !test->fresh_rotation && (Polar || identity)) {
      numerics::rotations_of_quaternions<T>(q, numerics::squared_length<T>(q), r);
      screen();
    }
    if constexpr (Polar)
      numerics::batched_polar<T>(f, q, r);
    else
      extract_rotations<T>(rule_, global, f, q, r);
    if (!identity)
      for (int k = 0; k < 4; ++k) q[k].to(quaternions + k * lanes);
    if (Tested && test && test->fresh_rotation && (Polar || identity)) screen();
    if (Tested && test && !Polar && !identity)  // R is not in the quaternions: whoever asks looks at all of them
      for (int lane = 0; lane < lanes && int(first) + lane < graph_->element_count(); ++lane)
        suspects->push_back({graph_->element_of[first + std::size_t(lane)], std::nan("")});

    if (!identity) {
      P out[12];  // corner 0…3 × xyz
      rotate_corners<T>(r, b, out);
      write_corners<T>(out, rotated_.data() + 12 * first);
    }
    if constexpr (!Plastic) continue;

    P strain[6], out[12], p[6];
    for (int k = 0; k < 6; ++k) p[k] = P::from(strains_.data() + 6 * first + std::size_t(k) * lanes);
    batched_strain<T>(r, f, P::from(inverse_root_.data() + first), strain);
    batched_flow<T>(law_, P::from(yield_.data() + first), P::from(fraction_.data() + first),
                    P::from(max_.data() + first), strain, p);
    for (int k = 0; k < 6; ++k) p[k].to(next_strains_.data() + 6 * first + std::size_t(k) * lanes);
    // −c (f0' − f_plastic) of a corner: √(cV/μ) R σ(I ± ε_p) B_a, [MG04] eq. 8, 15
    const P root = T(1) / P::from(inverse_root_.data() + first), twice = T(2) * sign * root;
    const P mean =
        P::from(rest_force_.data() + first) + sign * root * P::from(ratios_.data() + first) * (p[0] + p[1] + p[2]);
    const P stress[6] = {mean + twice * p[0], mean + twice * p[1], mean + twice * p[2],
                         twice * p[3],        twice * p[4],        twice * p[5]};
    P turned[9];  // R σ
    for (int i = 0; i < 3; ++i) {
      turned[3 * i] = r[3 * i] * stress[0] + r[3 * i + 1] * stress[3] + r[3 * i + 2] * stress[5];
      turned[3 * i + 1] = r[3 * i] * stress[3] + r[3 * i + 1] * stress[1] + r[3 * i + 2] * stress[4];
      turned[3 * i + 2] = r[3 * i] * stress[5] + r[3 * i + 1] * stress[4] + r[3 * i + 2] * stress[2];
    }
    rotate_corners<T>(turned, b, out);
    write_corners<T>(out, forces_.data() + 12 * first);
  }
}

template <class T>
void WarpedElements<T>::keep_previous(std::size_t first) {
  constexpr int lanes = lane_count<T>;
  if (quaternions_suffice())
    std::copy_n(quaternions_.data() + 4 * first, 4 * lanes, previous_quaternions_.data() + 4 * first);
  else
    std::copy_n(rotated_.data() + 12 * first, 12 * lanes, previous_rotated_.data() + 12 * first);
}

template <class T>
Matrix3 WarpedElements<T>::rotation_of(std::size_t slot, const numerics::AlignedVector<T>& quaternions,
                                       const numerics::AlignedVector<T>& rotated) const {
  constexpr std::size_t lanes = lane_count<T>;
  if (rule_.kind == RotationKind::Identity) return Matrix3::Identity();
  if (quaternions_suffice()) {
    const T* q = quaternions.data() + slot / lanes * 4 * lanes + slot % lanes;
    return Eigen::Quaterniond(double(q[0]), double(q[lanes]), double(q[2 * lanes]), double(q[3 * lanes]))
        .normalized()
        .toRotationMatrix();
  }
  // b'_a = R b_a for three independent gradients gives R back for every rule, reflections included.
  Matrix3 rest, turned;
  for (int a = 0; a < 3; ++a) {
    rest.col(a) = scaled_gradient(gradients_, 4 * slot + std::size_t(a) + 1);
    for (int k = 0; k < 3; ++k) turned(k, a) = double(rotated[12 * slot + 3 * std::size_t(a + 1) + std::size_t(k)]);
  }
  const Matrix3 r = turned * rest.inverse();
  return rule_.keep_reflection ? numerics::polar_orthogonal_factor(r) : numerics::polar_rotation(r);
}

template <class T>
Matrix3 WarpedElements<T>::rotation(int element) const {
  return rotation_of(std::size_t(slot_of_[std::size_t(element)]), quaternions_, rotated_);
}

template <class T>
Matrix3 WarpedElements<T>::previous_rotation(int element) const {
  return rotation_of(std::size_t(slot_of_[std::size_t(element)]), previous_quaternions_, previous_rotated_);
}

template <class T>
Vector6 WarpedElements<T>::plastic_strain(int element) const {
  constexpr std::size_t lanes = lane_count<T>;
  Vector6 strain = Vector6::Zero();
  if (!plastic_) return strain;
  const std::size_t slot = std::size_t(slot_of_[std::size_t(element)]);
  for (std::size_t k = 0; k < 6; ++k)
    strain[Eigen::Index(k)] = double(strains_[slot / lanes * 6 * lanes + k * lanes + slot % lanes]);
  return strain;
}

template <class T>
void WarpedElements<T>::release() {
  const auto drop = [](auto& array) { std::remove_reference_t<decltype(array)>().swap(array); };
  drop(corners_), drop(gradients_), drop(quaternions_), drop(rotated_), drop(rest_force_), drop(ratios_);
  drop(edge_trace_), drop(pairs_), drop(slot_of_);
}

template class WarpedElements<float>;
template class WarpedElements<double>;

}  // namespace deformbench::fem
