// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/linked_points.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace deformbench::surface {
namespace {

Vector3 corner(const model::TetMesh& mesh, Eigen::Index element, int c) {
  return mesh.rest_positions.row(mesh.tetrahedra(element, c)).transpose();
}

}  // namespace

Eigen::Vector4d barycentric_in(const model::TetMesh& mesh, Eigen::Index element, const Vector3& p) {
  const Vector3 x0 = corner(mesh, element, 0);
  const Vector3 e1 = corner(mesh, element, 1) - x0;
  const Vector3 e2 = corner(mesh, element, 2) - x0;
  const Vector3 e3 = corner(mesh, element, 3) - x0;
  const Vector3 d = p - x0;
  const double scale = 1.0 / e1.dot(e2.cross(e3));
  const double b1 = d.dot(e2.cross(e3)) * scale;
  const double b2 = d.dot(e3.cross(e1)) * scale;
  const double b3 = d.dot(e1.cross(e2)) * scale;
  return {1.0 - b1 - b2 - b3, b1, b2, b3};
}

void LinkedPoints::append(const model::TetMesh& rest, std::span<const int> elements,
                          const Eigen::Ref<const BarycentricCoordinates>& barycentric,
                          const Eigen::Ref<const Points>& normals) {
  std::vector<int> order(elements.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return elements[std::size_t(a)] < elements[std::size_t(b)]; });
  const auto first = int(record_of_.size());
  const bool was_empty = first == 0;
  record_of_.resize(record_of_.size() + elements.size());
  if (was_empty) records_.reserve(elements.size());  // grows by doubling later
  for (std::size_t n = 0; n < order.size(); ++n) {
    const int i = order[n];
    const int element = elements[std::size_t(i)];
    const auto record = int(records_.size());
    if (n == 0 || groups_.back().element != element) groups_.push_back({element, record, record});
    groups_.back().last = record + 1;
    const auto b = barycentric.row(i);
    records_.push_back({b[1], b[2], b[3], 0, 0, 0, 0, 0, 0, first + i});
    record_of_[std::size_t(first + i)] = record;
    const Vector3 normal = normals.row(i).transpose();
    const Vector3 x0 = corner(rest, element, 0);
    Record& r = records_.back();
    r.m1 = normal.dot(corner(rest, element, 1) - x0);
    r.m2 = normal.dot(corner(rest, element, 2) - x0);
    r.m3 = normal.dot(corner(rest, element, 3) - x0);
    r.n1 = normal[0];
    r.n2 = normal[1];
    r.n3 = normal[2];
  }
  if (was_empty) groups_at_best_ = groups_.size();
}

void LinkedPoints::set_normal(const model::TetMesh& rest, int point, const Vector3& normal) {
  const int record = record_of_[std::size_t(point)];
  const auto group =
      std::upper_bound(groups_.begin(), groups_.end(), record, [](int r, const Group& g) { return r < g.last; });
  const Vector3 x0 = corner(rest, group->element, 0);
  Record& r = records_[std::size_t(record)];
  r.m1 = normal.dot(corner(rest, group->element, 1) - x0);
  r.m2 = normal.dot(corner(rest, group->element, 2) - x0);
  r.m3 = normal.dot(corner(rest, group->element, 3) - x0);
  r.n1 = normal[0];
  r.n2 = normal[1];
  r.n3 = normal[2];
}

void LinkedPoints::regroup_if_scattered() {
  if (groups_.size() < 2 * groups_at_best_ + 64) return;
  std::vector<int> order(groups_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return groups_[std::size_t(a)].element < groups_[std::size_t(b)].element; });
  std::vector<Record> records;
  records.reserve(records_.size());
  std::vector<Group> groups;
  for (const int g : order) {
    const Group& old = groups_[std::size_t(g)];
    if (groups.empty() || groups.back().element != old.element) {
      groups.push_back({old.element, int(records.size()), 0});
    }
    records.insert(records.end(), records_.begin() + old.first, records_.begin() + old.last);
    groups.back().last = int(records.size());
  }
  records_ = std::move(records);
  groups_ = std::move(groups);
  for (std::size_t r = 0; r < records_.size(); ++r) record_of_[std::size_t(records_[r].point)] = int(r);
  groups_at_best_ = groups_.size();
}

// With D_s = [e1 e2 e3], x = x0 + D_s b and cof(F) n = cof(D_s) cof(D_m⁻¹) n = cof(D_s) D_mᵀ n / det D_m. Normalising
// drops the positive factor, and cof(D_s) = [e2×e3 e3×e1 e1×e2], so F is never formed. In inverted elements cof F gives
// the mapped surface's normal; in elements collapsed to a line, zero.
template <bool Positions, NormalMap Normals>
void LinkedPoints::pass(const double* x, const Tetrahedra& tetrahedra, const Matrix3* rotations, double* positions,
                        double* normals) const {
  for (const Group& group : groups_) {
    Vector3 origin, e1, e2, e3, c1, c2, c3;
    if constexpr (Positions || Normals == NormalMap::InverseTranspose) {
      const int* corners = tetrahedra.data() + 4 * std::ptrdiff_t(group.element);
      origin = Eigen::Map<const Vector3>(x + 3 * std::ptrdiff_t(corners[0]));
      e1 = Eigen::Map<const Vector3>(x + 3 * std::ptrdiff_t(corners[1])) - origin;
      e2 = Eigen::Map<const Vector3>(x + 3 * std::ptrdiff_t(corners[2])) - origin;
      e3 = Eigen::Map<const Vector3>(x + 3 * std::ptrdiff_t(corners[3])) - origin;
    }
    if constexpr (Normals == NormalMap::InverseTranspose) {
      c1 = e2.cross(e3);
      c2 = e3.cross(e1);
      c3 = e1.cross(e2);
    } else if constexpr (Normals == NormalMap::Rotation) {
      const Matrix3& rotation = rotations[group.element];
      c1 = rotation.col(0);
      c2 = rotation.col(1);
      c3 = rotation.col(2);
    }
    for (int r = group.first; r < group.last; ++r) {
      const Record& record = records_[std::size_t(r)];
      const std::ptrdiff_t row = 3 * std::ptrdiff_t(record.point);
      if constexpr (Positions) {
        for (int k = 0; k < 3; ++k)
          positions[row + k] = origin[k] + record.b1 * e1[k] + record.b2 * e2[k] + record.b3 * e3[k];
      }
      if constexpr (Normals == NormalMap::Rotation) {
        for (int k = 0; k < 3; ++k) normals[row + k] = record.n1 * c1[k] + record.n2 * c2[k] + record.n3 * c3[k];
      } else if constexpr (Normals == NormalMap::InverseTranspose) {
        const double a = record.m1 * c1[0] + record.m2 * c2[0] + record.m3 * c3[0];
        const double b = record.m1 * c1[1] + record.m2 * c2[1] + record.m3 * c3[1];
        const double c = record.m1 * c1[2] + record.m2 * c2[2] + record.m3 * c3[2];
        const double squared = a * a + b * b + c * c;
        const double scale = squared > 0.0 ? 1.0 / std::sqrt(squared) : 0.0;
        normals[row] = a * scale;
        normals[row + 1] = b * scale;
        normals[row + 2] = c * scale;
      }
    }
  }
}

template void LinkedPoints::pass<true, NormalMap::None>(const double*, const Tetrahedra&, const Matrix3*, double*,
                                                        double*) const;
template void LinkedPoints::pass<false, NormalMap::Rotation>(const double*, const Tetrahedra&, const Matrix3*, double*,
                                                             double*) const;
template void LinkedPoints::pass<false, NormalMap::InverseTranspose>(const double*, const Tetrahedra&, const Matrix3*,
                                                                     double*, double*) const;
template void LinkedPoints::pass<true, NormalMap::Rotation>(const double*, const Tetrahedra&, const Matrix3*, double*,
                                                            double*) const;
template void LinkedPoints::pass<true, NormalMap::InverseTranspose>(const double*, const Tetrahedra&, const Matrix3*,
                                                                    double*, double*) const;

}  // namespace deformbench::surface
