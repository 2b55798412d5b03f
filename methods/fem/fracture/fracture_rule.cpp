// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/fracture/fracture_rule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "methods/model/error.hpp"
#include "methods/numerics/symmetric_eigen.hpp"

namespace deformbench::fem {
namespace {

Matrix3 tensor(const Vector6& s) {
  Matrix3 result;
  result << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return result;
}

/// n or −n, so that the largest component is positive: the + side must not depend on the eigensolver.
Vector3 with_sign(const Vector3& n) {
  Eigen::Index largest;
  n.cwiseAbs().maxCoeff(&largest);
  return n[largest] < 0.0 ? Vector3(-n) : n;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string vector_text(const Vector3& v) {
  char text[96];
  std::snprintf(text, sizeof text, "(%.6g, %.6g, %.6g)", v[0], v[1], v[2]);
  return text;
}

std::string counted(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string list(const std::vector<int>& values) {
  std::string text;
  for (std::size_t k = 0; k < values.size(); ++k)
    text += (k == 0 ? "" : k + 1 == values.size() ? " and " : ", ") + std::to_string(values[k]);
  return text;
}

SimulationEvent split_event(const VertexSplit& split) {
  std::vector<int> into{split.vertex};
  for (const NewVertex& added : split.new_vertices)
    if (added.source == split.vertex) into.push_back(added.vertex);
  std::string text = "vertex " + std::to_string(split.vertex) + " splits into " + list(into);
  if (split.element >= 0) text += " at element " + std::to_string(split.element);
  text += ": stress " + number(split.stress) + " Pa, normal " + vector_text(split.normal) + ", " +
          counted(split.exposed_faces.size(), "face") + " exposed";
  if (!split.hinges.empty()) text += ", hinges separated at " + list(split.hinges);
  if (!split.hinge_edges.empty()) text += ", " + counted(split.hinge_edges.size(), "hinge edge") + " left";
  return {"vertex_split", split.vertex, text};
}

/// `noun`: singular and plural.
SimulationEvent limit_event(int limit, std::int64_t waiting, std::pair<const char*, const char*> noun) {
  return {"splits_limited", waiting,
          counted(std::size_t(limit), "vertex split") + " in this step, as many as are allowed; " +
              std::to_string(waiting) + " " + (waiting == 1 ? noun.first : noun.second) +
              " above the threshold must wait"};
}

/// Removes the largest of `heap`: a heap, as few of possibly many peaks are needed.
template <class Peak, class Less>
Peak take_largest(std::vector<Peak>& heap, Less less) {
  std::pop_heap(heap.begin(), heap.end(), less);
  const Peak peak = heap.back();
  heap.pop_back();
  return peak;
}

/// m(f) of [OH99]
Matrix3 outer(const Vector3& f) {
  const double length = f.norm();
  return length > 0.0 ? Matrix3(f * f.transpose() / length) : Matrix3(Matrix3::Zero());
}

/// R σ⁺ and R σ⁻, from the positive and the negative principal stresses.
struct StressParts {
  Matrix3 tensile, compressive;
};

StressParts parts(const Vector6& stress, const Matrix3& rotation) {
  const auto eigen = numerics::symmetric_eigen(tensor(stress));
  const Matrix3 to_world = rotation * eigen.vectors;
  return {to_world * eigen.values.cwiseMax(0.0).asDiagonal() * eigen.vectors.transpose(),
          to_world * eigen.values.cwiseMin(0.0).asDiagonal() * eigen.vectors.transpose()};
}

template <class PartsOf>
Matrix3 separation_tensor(const FractureTopology& topology, int vertex, std::span<const RestElement> rest,
                          const PartsOf& parts_of) {
  Matrix3 sum = Matrix3::Zero();
  Vector3 tension = Vector3::Zero(), compression = Vector3::Zero();
  for (const int place : topology.star(vertex)) {
    const std::size_t e = at(place >> 2);
    const StressParts& part = parts_of(e);
    const Vector3 gradient = -rest[e].volume * rest[e].gradients.col(place & 3);
    const Vector3 pull = part.tensile * gradient, push = part.compressive * gradient;
    sum += outer(pull) - outer(push);
    tension += pull;
    compression += push;
  }
  return 0.5 * (sum - outer(tension) + outer(compression));
}

}  // namespace

std::optional<StressPeak> stress_peak(int element, const Vector6& stress, const Matrix3& rotation, double threshold,
                                      FractureFrame frame) {
  if (!may_exceed(stress, threshold) || !stress.allFinite()) return std::nullopt;
  const auto eigen = numerics::symmetric_eigen(tensor(stress));
  if (!(eigen.values[2] > threshold)) return std::nullopt;
  const Vector3 normal = eigen.vectors.col(2);
  return StressPeak{element, eigen.values[2],
                    with_sign(frame == FractureFrame::World ? Vector3(rotation * normal) : normal)};
}

Matrix3 separation_tensor(const FractureTopology& topology, int vertex, std::span<const RestElement> rest,
                          std::span<const Vector6> stresses, std::span<const Matrix3> rotations) {
  return separation_tensor(topology, vertex, rest, [&](std::size_t e) { return parts(stresses[e], rotations[e]); });
}

double separation_area(const FractureTopology& topology, int vertex, const Vector3& normal,
                       std::span<const RestElement> rest, std::span<const Matrix3> rotations) {
  double sum = 0.0;
  for (const int place : topology.star(vertex)) {
    const std::size_t e = at(place >> 2);
    sum += rest[e].volume * std::abs(normal.dot(rotations[e] * rest[e].gradients.col(place & 3)));
  }
  return 0.5 * sum;
}

std::vector<VertexPeak> separation_peaks(const FractureTopology& topology, std::span<const RestElement> rest,
                                         std::span<const Vector6> stresses, std::span<const Matrix3> rotations,
                                         double threshold) {
  std::vector<StressParts> of_elements(stresses.size());  // once per element, although four vertices use it
  for (std::size_t e = 0; e < stresses.size(); ++e) of_elements[e] = parts(stresses[e], rotations[e]);
  std::vector<VertexPeak> peaks;
  for (int v = 0; v < topology.vertex_count(); ++v) {
    const Matrix3 tensor =
        separation_tensor(topology, v, rest, [&](std::size_t e) -> const StressParts& { return of_elements[e]; });
    if (!tensor.allFinite()) continue;
    const auto eigen = numerics::symmetric_eigen(tensor);
    if (!(eigen.values[2] > 0.0)) continue;
    const Vector3 normal = with_sign(eigen.vectors.col(2));
    const double stress = eigen.values[2] / separation_area(topology, v, normal, rest, rotations);
    if (stress > threshold) peaks.push_back({v, stress, normal});
  }
  return peaks;
}

FractureRule::FractureRule(int splits_per_step, std::uint64_t seed)
    : limit_(splits_per_step), random_(seed, 0x66726163) {
  if (splits_per_step < 1)
    throw InputError("fracture_splits_per_step: got " + std::to_string(splits_per_step) + ", expected at least 1");
}

void FractureRule::begin(const FractureTopology& topology) {
  touched_.resize(at(topology.element_count()), 0);
  ++stamp_;
  refused_now_.clear();
}

void FractureRule::end() {
  std::sort(refused_now_.begin(), refused_now_.end());
  std::swap(refused_now_, refused_before_);
}

bool FractureRule::try_split(FractureTopology& topology, int element, int vertex, double stress, const Vector3& normal,
                             const Eigen::Ref<const Points>& positions, FractureStep& step) {
  auto split = topology.split(vertex, normal, positions);
  if (!split) {
    const Request request{element, vertex};
    refused_now_.push_back(request);
    if (!std::binary_search(refused_before_.begin(), refused_before_.end(), request)) {
      std::string text = "vertex " + std::to_string(vertex);
      if (element >= 0) text += " at element " + std::to_string(element);
      step.events.push_back({"split_refused", vertex,
                             text + " stays whole: " + topology.would_split(vertex, normal, positions).reason() +
                                 "; normal " + vector_text(normal) + ", stress " + number(stress) + " Pa"});
    }
    return false;
  }
  split->element = element;
  split->stress = stress;
  for (const int place : topology.star(vertex)) touched_[at(place >> 2)] = stamp_;
  for (const CornerMove& move : split->moves) touched_[at(move.element)] = stamp_;
  step.events.push_back(split_event(*split));
  step.splits.push_back(std::move(*split));
  return true;
}

template <class Candidate, class Resolve>
FractureStep FractureRule::split_stressed(FractureTopology& topology, std::vector<Candidate> peaks,
                                          const Resolve& resolve, const Eigen::Ref<const Points>& positions) {
  FractureStep step;
  begin(topology);
  const auto less = [](const Candidate& a, const Candidate& b) {
    return a.stress != b.stress ? a.stress < b.stress : a.element > b.element;
  };
  std::make_heap(peaks.begin(), peaks.end(), less);
  while (!peaks.empty() && int(step.splits.size()) < limit_) {
    const Candidate candidate = take_largest(peaks, less);
    if (touched(candidate.element)) continue;
    const std::optional<StressPeak> found = resolve(candidate);
    if (!found) continue;
    const StressPeak& peak = *found;
    // [MG04] §4: at random among the crack tips; if there are none, among all four.
    std::array<int, 4> choice;
    int tips = 0;
    for (int a = 0; a < 4; ++a)
      if (topology.crack_tips()[at(topology.tetrahedra()(peak.element, a))]) choice[at(tips++)] = a;
    int count = tips;
    for (int a = 0; a < 4; ++a)
      if (!topology.crack_tips()[at(topology.tetrahedra()(peak.element, a))]) choice[at(count++)] = a;
    for (int k = 0; k < 4; ++k) {
      const int end = k < tips ? tips : 4;
      std::swap(choice[at(k)], choice[at(k + int(random_.below(std::uint64_t(end - k))))]);
      const int vertex = topology.tetrahedra()(peak.element, choice[at(k)]);
      if (try_split(topology, peak.element, vertex, peak.stress, peak.normal, positions, step)) break;
    }
  }
  const auto waiting =
      std::count_if(peaks.begin(), peaks.end(), [&](const Candidate& p) { return !touched(p.element); });
  if (waiting > 0) step.events.push_back(limit_event(limit_, waiting, {"element", "elements"}));
  end();
  return step;
}

FractureStep FractureRule::split_elements(FractureTopology& topology, std::vector<StressPeak> peaks,
                                          const Eigen::Ref<const Points>& positions) {
  return split_stressed(
      topology, std::move(peaks), [](const StressPeak& peak) { return std::optional(peak); }, positions);
}

FractureStep FractureRule::split_elements(FractureTopology& topology, std::vector<StressedElement> stressed,
                                          const std::function<std::optional<StressPeak>(int element)>& peak_of,
                                          const Eigen::Ref<const Points>& positions) {
  return split_stressed(
      topology, std::move(stressed), [&](const StressedElement& element) { return peak_of(element.element); },
      positions);
}

FractureStep FractureRule::split_vertices(FractureTopology& topology, std::vector<VertexPeak> peaks,
                                          const Eigen::Ref<const Points>& positions) {
  FractureStep step;
  begin(topology);
  const auto less = [](const VertexPeak& a, const VertexPeak& b) {
    return a.stress != b.stress ? a.stress < b.stress : a.vertex > b.vertex;
  };
  const auto out_of_date = [&](int vertex) {
    const auto star = topology.star(vertex);
    return std::any_of(star.begin(), star.end(), [&](int place) { return touched(place >> 2); });
  };
  std::make_heap(peaks.begin(), peaks.end(), less);
  while (!peaks.empty() && int(step.splits.size()) < limit_) {
    const VertexPeak peak = take_largest(peaks, less);
    if (!out_of_date(peak.vertex)) try_split(topology, -1, peak.vertex, peak.stress, peak.normal, positions, step);
  }
  const auto waiting =
      std::count_if(peaks.begin(), peaks.end(), [&](const VertexPeak& p) { return !out_of_date(p.vertex); });
  if (waiting > 0) step.events.push_back(limit_event(limit_, waiting, {"vertex", "vertices"}));
  end();
  return step;
}

}  // namespace deformbench::fem
