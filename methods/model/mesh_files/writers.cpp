// SPDX-License-Identifier: BSD-3-Clause
// Writers of mesh files. Text formats use the shortest decimals that read back to the same bits.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <iterator>

#include "methods/model/error.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"
#include "methods/model/mesh_files/text_scanner.hpp"

namespace deformbench::model {
namespace {

using Text = fmt::memory_buffer;

template <class... Arguments>
void append(Text& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

/// One line per vertex: prefix(i) x y z suffix.
void append_points(Text& text, const Points& points, std::string_view prefix, std::string_view suffix) {
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    append(text, "{}{} {} {}{}\n", prefix, points(i, 0), points(i, 1), points(i, 2), suffix);
  }
}

template <class Elements>
void append_elements(Text& text, const Elements& elements, std::string_view prefix, int base, std::string_view suffix) {
  for (Eigen::Index e = 0; e < elements.rows(); ++e) {
    append(text, "{}{}", prefix, elements(e, 0) + base);
    for (Eigen::Index k = 1; k < elements.cols(); ++k) append(text, " {}", elements(e, k) + base);
    append(text, "{}\n", suffix);
  }
}

Text medit(const TetMesh& mesh) {
  Text text;
  append(text, "MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", mesh.vertex_count());
  append_points(text, mesh.rest_positions, "", " 0");
  append(text, "Tetrahedra\n{}\n", mesh.element_count());
  append_elements(text, mesh.tetrahedra, "", 1, " 0");
  append(text, "End\n");
  return text;
}

Text vtk(const TetMesh& mesh) {
  Text text;
  append(text,
         "# vtk DataFile Version 3.0\ntetrahedral mesh, metres\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} "
         "double\n",
         mesh.vertex_count());
  append_points(text, mesh.rest_positions, "", "");
  append(text, "CELLS {} {}\n", mesh.element_count(), 5 * mesh.element_count());
  append_elements(text, mesh.tetrahedra, "4 ", 0, "");
  append(text, "CELL_TYPES {}\n", mesh.element_count());
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) append(text, "10\n");
  return text;
}

Text assignment_text(const TetMesh& mesh) {
  Text text;
  append_points(text, mesh.rest_positions, "v ", "");
  append_elements(text, mesh.tetrahedra, "t ", 0, "");
  return text;
}

Text tetgen_nodes(const TetMesh& mesh) {
  Text text;
  append(text, "{} 3 0 0\n", mesh.vertex_count());
  for (Eigen::Index v = 0; v < mesh.vertex_count(); ++v) {
    append(text, "{} {} {} {}\n", v, mesh.rest_positions(v, 0), mesh.rest_positions(v, 1), mesh.rest_positions(v, 2));
  }
  return text;
}

Text tetgen_elements(const TetMesh& mesh) {
  Text text;
  append(text, "{} 4 0\n", mesh.element_count());
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    append(text, "{} {} {} {} {}\n", e, mesh.tetrahedra(e, 0), mesh.tetrahedra(e, 1), mesh.tetrahedra(e, 2),
           mesh.tetrahedra(e, 3));
  }
  return text;
}

Text ply(const TriangleMesh& mesh) {
  Text text;
  append(text,
         "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n"
         "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
         mesh.vertex_count(), mesh.triangle_count());
  append_points(text, mesh.positions, "", "");
  append_elements(text, mesh.triangles, "3 ", 0, "");
  return text;
}

Text off(const TriangleMesh& mesh) {
  Text text;
  append(text, "OFF\n{} {} 0\n", mesh.vertex_count(), mesh.triangle_count());
  append_points(text, mesh.positions, "", "");
  append_elements(text, mesh.triangles, "3 ", 0, "");
  return text;
}

void append_little_endian(Text& text, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) text.push_back(char(value >> shift & 255u));
}

Text stl(const TriangleMesh& mesh) {
  Text text;
  for (int i = 0; i < 80; ++i) text.push_back('\0');
  append_little_endian(text, std::uint32_t(mesh.triangle_count()));
  const auto append_vector = [&](const Vector3& v) {
    for (int k = 0; k < 3; ++k) append_little_endian(text, std::bit_cast<std::uint32_t>(float(v[k])));
  };
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 corners[3] = {mesh.positions.row(mesh.triangles(t, 0)), mesh.positions.row(mesh.triangles(t, 1)),
                                mesh.positions.row(mesh.triangles(t, 2))};
    append_vector((corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized());
    for (const Vector3& corner : corners) append_vector(corner);
    text.push_back('\0');
    text.push_back('\0');
  }
  return text;
}

}  // namespace

std::string dot_mesh_text(const TetMesh& mesh, DotMesh dot_mesh) {
  return fmt::to_string(dot_mesh == DotMesh::AssignmentText ? assignment_text(mesh) : medit(mesh));
}

void write_tet_mesh(const std::string& path, const TetMesh& mesh, DotMesh dot_mesh) {
  std::filesystem::path file(path);
  const std::string extension = lower_extension(path);
  if (extension == ".vt") dot_mesh = DotMesh::AssignmentText;
  if (extension == ".mesh" || extension == ".vt") return write_file_content(path, dot_mesh_text(mesh, dot_mesh));
  if (extension == ".vtk") return write_file_content(path, fmt::to_string(vtk(mesh)));
  if (extension == ".node" || extension == ".ele") {
    write_file_content(file.replace_extension(".node").string(), fmt::to_string(tetgen_nodes(mesh)));
    return write_file_content(file.replace_extension(".ele").string(), fmt::to_string(tetgen_elements(mesh)));
  }
  throw InputError(fmt::format("{}: cannot write a tetrahedral mesh as '{}', expected .mesh, .vtk, .vt, .node or .ele",
                               path, extension));
}

void write_triangle_mesh(const std::string& path, const TriangleMesh& mesh) {
  const std::string extension = lower_extension(path);
  if (extension == ".obj") {
    Text text;
    append_points(text, mesh.positions, "v ", "");
    append_elements(text, mesh.triangles, "f ", 1, "");
    return write_file_content(path, fmt::to_string(text));
  }
  if (extension == ".ply") return write_file_content(path, fmt::to_string(ply(mesh)));
  if (extension == ".off") return write_file_content(path, fmt::to_string(off(mesh)));
  if (extension == ".stl") return write_file_content(path, fmt::to_string(stl(mesh)));
  throw InputError(
      fmt::format("{}: cannot write a surface as '{}', expected .obj, .ply, .off or .stl", path, extension));
}

}  // namespace deformbench::model
