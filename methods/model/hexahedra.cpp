// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/hexahedra.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "methods/model/error.hpp"

namespace deformbench::model {

Eigen::Matrix<double, 8, 3> trilinear_gradients(const Vector3& xi) {
  Eigen::Matrix<double, 8, 3> d;
  for (int a = 0; a < 8; ++a) {
    const auto factor = [&](int k) { return (a >> k & 1) != 0 ? xi[k] : 1.0 - xi[k]; };
    for (int k = 0; k < 3; ++k) d(a, k) = ((a >> k & 1) != 0 ? 1.0 : -1.0) * factor((k + 1) % 3) * factor((k + 2) % 3);
  }
  return d;
}

Vector3 gauss_point(int q) {
  const double from_middle = 0.5 / std::sqrt(3.0);
  Vector3 xi;
  for (int k = 0; k < 3; ++k) xi[k] = 0.5 + ((q >> k & 1) != 0 ? from_middle : -from_middle);
  return xi;
}

Hexahedra hexahedra(const TetMesh& mesh) {
  if (mesh.element_count() % 6 != 0)
    throw InputError(
        fmt::format("hexahedra: got {} tetrahedra, expected six for each hexahedron, as split kuhn_six makes of a cell",
                    mesh.element_count()));
  Hexahedra corners = Hexahedra::Constant(mesh.element_count() / 6, 8, -1);
  for (Eigen::Index e = 0; e < corners.rows(); ++e) {
    const auto refuse = [&](const char* cause) {
      throw InputError(
          fmt::format("hexahedra: tetrahedra {} to {} {}, expected the six round a diagonal of one hexahedron, "
                      "as split kuhn_six orders them",
                      6 * e, 6 * e + 5, cause));
    };
    const auto parts = mesh.tetrahedra.middleRows<6>(6 * e);
    const int start = parts(0, 0);
    int end = -1;
    for (const int k : {2, 3})
      if (((parts.col(2).array() == parts(0, k)) || (parts.col(3).array() == parts(0, k))).all()) end = parts(0, k);
    if (end < 0 || (parts.col(0).array() != start).any()) refuse("share no diagonal");

    std::vector<int> next;      // to the start: one along each axis
    std::map<int, int> others;  // the bits of the axes that lead there
    for (int part = 0; part < 6; ++part) {
      const auto axis = std::find(next.begin(), next.end(), parts(part, 1)) - next.begin();
      if (axis == std::ptrdiff_t(next.size())) next.push_back(parts(part, 1));
      others[parts(part, 2) == end ? parts(part, 3) : parts(part, 2)] |= 1 << axis;
    }
    auto of = corners.row(e);
    of[0] = start, of[7] = end;
    for (std::size_t axis = 0; axis < std::min<std::size_t>(3, next.size()); ++axis) of[1 << axis] = next[axis];
    for (const auto& [vertex, bits] : others)
      if (bits == 3 || bits == 5 || bits == 6) of[bits] = vertex;
    if (std::set<int>(of.begin(), of.end()).size() != 8 || of.minCoeff() < 0) refuse("do not have eight corners");

    Eigen::Matrix<double, 8, 3> x;
    for (int a = 0; a < 8; ++a) x.row(a) = mesh.rest_positions.row(of[a]) - mesh.rest_positions.row(start);
    Eigen::Array<double, 8, 1> volumes;
    for (int q = 0; q < 8; ++q) volumes[q] = (x.transpose() * trilinear_gradients(gauss_point(q))).determinant();
    if (volumes.maxCoeff() < 0.0)  // the other hand
      std::swap(of[2], of[4]), std::swap(of[3], of[5]);
    else if (volumes.minCoeff() <= 0.0)
      refuse("form a folded hexahedron");
  }
  return corners;
}

}  // namespace deformbench::model
