// SPDX-License-Identifier: BSD-3-Clause
// Tells the format of a file and hands it to its reader; normalises what the reader returns.
#include "methods/model/mesh_files/mesh_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "methods/model/error.hpp"
#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return extension;
}

namespace {

bool begins_with(const std::string& content, std::string_view start) {
  return content.compare(0, start.size(), start) == 0;
}

bool is_integer(std::string_view token) {
  return !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
}

template <std::size_t Corners, class Elements>
void fill(const MeshBuilder<Corners>& builder, Points& positions, Elements& elements, MeshSource& source) {
  positions.resize(Eigen::Index(builder.vertices.size()), 3);
  for (std::size_t v = 0; v < builder.vertices.size(); ++v) {
    positions.row(Eigen::Index(v)) = builder.vertices[v];
  }
  elements.resize(Eigen::Index(builder.elements.size()), Eigen::Index(Corners));
  for (std::size_t e = 0; e < builder.elements.size(); ++e) {
    for (std::size_t k = 0; k < Corners; ++k) {
      elements(Eigen::Index(e), Eigen::Index(k)) = builder.elements[e][k];
    }
  }
  source.vertex_lines = builder.vertex_lines;
  source.element_lines = builder.element_lines;
}

TetMeshFile finish(TetMeshBuilder builder, const std::string& path, std::string format,
                   const TetMeshReadOptions& options) {
  if (builder.elements.empty()) throw InputError(fmt::format("{}: no tetrahedra, expected at least one", path));
  TetMeshFile result;
  result.format = std::move(format);
  result.source.file = path;
  fill(builder, result.mesh.rest_positions, result.mesh.tetrahedra, result.source);
  const auto& regions = builder.regions;
  // A single region carries no information.
  const bool several = std::adjacent_find(regions.begin(), regions.end(), std::not_equal_to<>()) != regions.end();
  if (several) result.element_regions = regions;
  result.faces = std::move(builder.faces);
  result.notes = std::move(builder.notes);
  if (options.reorient) {
    for (Eigen::Index e = 0; e < result.mesh.element_count(); ++e) {
      if (tetrahedron_volume(result.mesh, result.mesh.rest_positions, e) < 0) {
        std::swap(result.mesh.tetrahedra(e, 2), result.mesh.tetrahedra(e, 3));
        ++result.flipped_elements;
      }
    }
    if (result.flipped_elements > 0) {
      result.notes.push_back(fmt::format("{} of {} tetrahedra reoriented to positive volume", result.flipped_elements,
                                         result.mesh.element_count()));
    }
  }
  return result;
}

TetMeshFile read_tetgen_pair(const std::string& path, const TetMeshReadOptions& options) {
  std::filesystem::path base(path);
  const std::string node_path = base.replace_extension(".node").string();
  const std::string element_path = base.replace_extension(".ele").string();
  const std::string node_content = read_file_content(node_path);
  const std::string element_content = read_file_content(element_path);
  TextScanner nodes(node_path, node_content), elements(element_path, element_content);
  const std::string face_path = base.replace_extension(".face").string();
  const bool has_faces = std::filesystem::is_regular_file(face_path);
  const std::string face_content = has_faces ? read_file_content(face_path) : std::string();
  TextScanner faces(face_path, face_content);
  TetMeshFile result = finish(read_tetgen(nodes, elements, has_faces ? &faces : nullptr), path, "tetgen", options);
  result.source.file = node_path;
  result.source.element_file = element_path;
  return result;
}

}  // namespace

/// The formats that share .mesh, recognised by their first words.
TetMeshFile read_dot_mesh(const std::string& name, const std::string& content, const TetMeshReadOptions& options) {
  TextScanner scanner(name, content);
  const std::string first(scanner.peek());
  if (first == "MeshVersionFormatted") return finish(read_medit(scanner), name, "medit", options);
  if (first == "v" || first == "t") return finish(read_assignment_text(scanner), name, "assignment_text", options);
  if (first == "mesh3d") return finish(read_netgen_vol(scanner), name, "netgen_vol", options);
  if (is_integer(first)) return finish(read_netgen_neutral(scanner), name, "netgen_neutral", options);
  scanner.next();
  scanner.fail(first.empty() ? "the file is empty" : fmt::format("'{}'", first.substr(0, 40)),
               "a mesh that begins with MeshVersionFormatted (MEDIT), v or t (assignment), mesh3d (Netgen) or the "
               "number of nodes (Netgen neutral)");
}

TetMeshFile read_tet_mesh(const std::string& path, const TetMeshReadOptions& options) {
  const std::string extension = lower_extension(path);
  if (extension == ".node" || extension == ".ele") return read_tetgen_pair(path, options);
  const std::string content = read_file_content(path);
  std::string format;
  if (begins_with(content, "$MeshFormat") || extension == ".msh") {
    TextScanner scanner(path, content, '\0');
    TetMeshBuilder builder = read_gmsh(scanner, format);
    return finish(std::move(builder), path, format, options);
  }
  if (begins_with(content, "# vtk DataFile") || extension == ".vtk") {
    TextScanner scanner(path, content, '\0');
    TetMeshBuilder builder = read_vtk_legacy(scanner, format);
    return finish(std::move(builder), path, format, options);
  }
  const bool known =
      extension == ".mesh" || extension == ".vol" || extension == ".vt" || extension == ".neu" || extension == ".txt";
  if (!known) {
    throw InputError(
        fmt::format("{}: unknown extension '{}', expected a tetrahedral mesh: .mesh, .vt, .vol, .neu, .txt, "
                    ".node, .ele, .msh or .vtk",
                    path, extension));
  }
  return read_dot_mesh(path, content, options);
}

TriangleMeshFile read_triangle_mesh(const std::string& path) {
  const std::string extension = lower_extension(path);
  const std::string content = read_file_content(path);
  TriangleMeshFile result;
  TriangleMeshBuilder builder;
  TextScanner scanner(path, content, extension == ".stl" || extension == ".ply" ? '\0' : '#');
  if (extension == ".obj") {
    result.format = "obj";
    builder = read_obj(scanner, result.triangulated_polygons);
  } else if (extension == ".ply") {
    builder = read_ply(scanner, result.triangulated_polygons, result.format);
  } else if (extension == ".stl") {
    builder = read_stl(scanner, result.merged_vertices, result.format);
  } else if (extension == ".off") {
    result.format = "off";
    builder = read_off(scanner, result.triangulated_polygons);
  } else {
    throw InputError(
        fmt::format("{}: unknown extension '{}', expected a surface: .obj, .ply, .stl or .off", path, extension));
  }
  if (builder.elements.empty()) throw InputError(fmt::format("{}: no faces, expected at least one", path));
  result.source.file = path;
  result.notes = std::move(builder.notes);
  if (result.triangulated_polygons > 0) {
    result.notes.push_back(fmt::format("{} polygons cut into triangles", result.triangulated_polygons));
  }
  fill(builder, result.mesh.positions, result.mesh.triangles, result.source);
  return result;
}

}  // namespace deformbench::model
