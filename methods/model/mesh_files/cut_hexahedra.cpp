// SPDX-License-Identifier: BSD-3-Clause
// Hexahedra of files as six tetrahedra round a main diagonal each, as model::hexahedra finds them again. The diagonal
// of a hexahedron decides how its faces are cut, so neighbours must choose theirs alike.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {
namespace {

/// The number in the file of the corner whose coordinate along axis k is bit k.
constexpr std::array<std::size_t, 8> kNumberInFile{0, 1, 3, 2, 4, 5, 7, 6};
constexpr int kMainDiagonals = 4;  ///< from corner s to 7 − s, s < 4

using SideVertices = std::array<int, 4>;

struct CutSide {
  SideVertices vertices;      ///< sorted
  SideVertices diagonal_end;  ///< per diagonal of the hexahedron: the vertex joined with vertices[0] by the cut, or −1
};

std::array<CutSide, 6> sides_of(const std::array<int, 8>& corners) {
  std::array<CutSide, 6> faces;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      CutSide& face = faces[std::size_t(2 * axis + side)];
      std::size_t count = 0;
      for (int c = 0; c < 8; ++c)
        if ((c >> axis & 1) == side) face.vertices[count++] = corners[std::size_t(c)];
      std::sort(face.vertices.begin(), face.vertices.end());
      for (int s = 0; s < kMainDiagonals; ++s) {
        const int from = (s >> axis & 1) == side ? s : 7 - s, to = from ^ 7 ^ (1 << axis);
        const int a = corners[std::size_t(from)], b = corners[std::size_t(to)];
        face.diagonal_end[std::size_t(s)] = a == face.vertices[0] ? b : b == face.vertices[0] ? a : -1;
      }
    }
  return faces;
}

Vector3 diagonal_direction(const TetMeshBuilder& builder, const std::array<int, 8>& corners, int diagonal) {
  const auto place = [&](int c) { return builder.vertices[std::size_t(corners[std::size_t(c)])]; };
  return (place(7 - diagonal) - place(diagonal)).normalized();
}

}  // namespace

void cut_hexahedra(TetMeshBuilder& builder, const TextScanner& scanner) {
  const std::size_t count = builder.hexahedra.size();
  if (count == 0) return;
  std::vector<std::array<int, 8>> corners(count);
  std::vector<std::array<CutSide, 6>> faces(count);
  std::map<SideVertices, std::vector<std::size_t>> sides;
  for (std::size_t h = 0; h < count; ++h) {
    for (std::size_t c = 0; c < 8; ++c) corners[h][c] = builder.hexahedra[h].corners[kNumberInFile[c]];
    faces[h] = sides_of(corners[h]);
    for (const CutSide& face : faces[h]) sides[face.vertices].push_back(h);
  }

  // From neighbour to neighbour: of the diagonals that cut the faces in common alike, that nearest in direction.
  constexpr int kNone = -1;
  std::vector<int> diagonal(count, kNone);
  std::map<SideVertices, int> cut;
  const auto take = [&](std::size_t h, const Vector3& wanted) {
    double best = -1.0;
    for (int s = 0; s < kMainDiagonals; ++s) {
      const bool fits = std::all_of(faces[h].begin(), faces[h].end(), [&](const CutSide& face) {
        const auto found = cut.find(face.vertices);
        return found == cut.end() || found->second == face.diagonal_end[std::size_t(s)];
      });
      const double along = std::abs(diagonal_direction(builder, corners[h], s).dot(wanted));
      if (fits && along > best) best = along, diagonal[h] = s;
    }
    if (diagonal[h] == kNone) {
      const std::string cause = fmt::format("hexahedron {} cannot be cut into tetrahedra as its neighbours are", h + 1);
      const char* expected = "a mesh like a lattice, or tetrahedra";
      if (builder.hexahedra[h].line > 0) scanner.fail_at_line(builder.hexahedra[h].line, cause, expected);
      scanner.fail_at_byte(cause, expected);
    }
    for (const CutSide& face : faces[h]) cut[face.vertices] = face.diagonal_end[std::size_t(diagonal[h])];
  };
  std::vector<std::size_t> queue;
  for (std::size_t first = 0; first < count; ++first) {
    if (diagonal[first] != kNone) continue;
    take(first, diagonal_direction(builder, corners[first], 0));
    queue.push_back(first);
    while (!queue.empty()) {
      const std::size_t h = queue.back();
      queue.pop_back();
      const Vector3 wanted = diagonal_direction(builder, corners[h], diagonal[h]);
      for (const CutSide& face : faces[h])
        for (const std::size_t other : sides.at(face.vertices))
          if (diagonal[other] == kNone) take(other, wanted), queue.push_back(other);
    }
  }

  for (std::size_t h = 0; h < count; ++h) {
    const int start = diagonal[h];
    const auto corner = [&](int c) { return corners[h][std::size_t(c)]; };
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const int near = start ^ (1 << a), far = near ^ (1 << b);
        if (a != b)
          builder.add_element({corner(start), corner(near), corner(far), corner(7 - start)}, builder.hexahedra[h].line);
      }
    if (builder.hexahedra[h].region) builder.regions.resize(builder.elements.size(), *builder.hexahedra[h].region);
  }
  builder.notes.push_back(fmt::format("{} hexahedra cut into six tetrahedra each", count));
}

}  // namespace deformbench::model
