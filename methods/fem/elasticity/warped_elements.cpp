// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/elasticity/warped_elements.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "methods/numerics/lanes.hpp"
#include "methods/numerics/polar_decomposition.hpp"

namespace deformbench::fem {

using numerics::lane_count;

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
    const int element = graph.element_of[std::min(slot, std::size_t(elements) - 1)];  // the last one pads its batch
    write_slot(slot, scene.material_of(element), rest_element(scene.tet_mesh, element));
  }
  if (elements > 0) ratio_ = ratios_[0];
  for (const T ratio : ratios_)
    uniform_ratio_ =
        uniform_ratio_ && std::abs(ratio - ratio_) <= 4 * std::numeric_limits<T>::epsilon() * std::abs(ratio_);
  read_topology();
  refresh_traces();
}

/// Writes scaled gradients, with R = I; keeps the slot's plastic strain and parameters.
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
  corners_ = graph.corner_offsets(rest_force_.size());
  pairs_.resize(graph.edge_places.size());
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const unsigned place = unsigned(graph.edge_places[k]), corner = place >> 2;
    pairs_[k] = {3 * corner, 3 * ((corner & ~3u) | (place & 3u))};
  }
}

namespace {

/// B_a of a corner 4·slot + a, read from the batches; corner 0 is minus the sum of the others.
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
  // Recovers R from b'_a = R b_a of three independent gradients, for every rule, reflections included.
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
