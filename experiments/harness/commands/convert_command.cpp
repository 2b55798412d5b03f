// SPDX-License-Identifier: BSD-3-Clause
// convert: a mesh file to another format, with a report of mesh defects.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/files/ordinary_file.hpp"
#include "methods/model/boundary_surface.hpp"
#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFindings = 10;

bool is_surface(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".obj" || extension == ".ply" || extension == ".stl" || extension == ".off";
}

void refuse_existing(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored))
    throw InputError(fmt::format("{}: exists already, expected a new file (--force replaces it)", path.string()));
}

/// Mesh defects are reported but do not prevent the conversion.
void report(const std::vector<std::string>& notes, const std::vector<model::Finding>& findings,
            const model::MeshSource& source) {
  for (const std::string& note : notes) std::cout << "  " << note << '\n';
  for (std::size_t k = 0; k < std::min(findings.size(), kMostFindings); ++k)
    std::cerr << "warning: " << model::place_of(findings[k], source) << findings[k].message << '\n';
  if (findings.size() > kMostFindings)
    std::cerr << "warning: " << source.file << ": " << findings.size() - kMostFindings << " more\n";
}

void convert_surface(const ConvertArguments& arguments) {
  const model::TriangleMeshFile file = model::read_triangle_mesh(arguments.input);
  std::cout << fmt::format("{}: {}, {} vertices, {} triangles, volume {} m³, surface {} m²\n", arguments.input,
                           file.format, file.mesh.vertex_count(), file.mesh.triangle_count(),
                           model::enclosed_volume(file.mesh), model::surface_area(file.mesh));
  report(file.notes, model::find_problems(file.mesh), file.source);
  model::write_triangle_mesh(arguments.output, file.mesh);
}

void convert_tetrahedra(const ConvertArguments& arguments) {
  const model::TetMeshFile file = model::read_tet_mesh(arguments.input, {.reorient = !arguments.keep_orientation});
  const model::TriangleMesh boundary = model::boundary_surface(file.mesh).surface;
  std::cout << fmt::format("{}: {}, {} vertices, {} tetrahedra, volume {} m³, surface {} m²\n", arguments.input,
                           file.format, file.mesh.vertex_count(), file.mesh.element_count(),
                           model::total_volume(file.mesh, file.mesh.rest_positions), model::surface_area(boundary));
  report(file.notes, model::find_problems(file.mesh), file.source);
  if (is_surface(arguments.output))
    model::write_triangle_mesh(arguments.output, boundary);
  else
    model::write_tet_mesh(arguments.output, file.mesh,
                          arguments.assignment ? model::DotMesh::AssignmentText : model::DotMesh::Medit);
}

}  // namespace

int convert_command(const ConvertArguments& arguments) {
  const fs::path output(arguments.output);
  const std::string extension = output.extension().string();
  if (arguments.assignment && extension != ".mesh")
    throw InputError(fmt::format("{}: --assignment and '{}', expected .mesh, which it says how to write",
                                 arguments.output, extension));
  if (is_surface(arguments.input) && !is_surface(arguments.output))
    throw InputError(fmt::format("{}: cannot be made of a surface, {}; expected .obj, .ply, .off or .stl",
                                 arguments.output, arguments.input));
  if (!arguments.force) {
    refuse_existing(output);
    if (extension == ".node" || extension == ".ele")  // TetGen's other file
      refuse_existing(fs::path(output).replace_extension(extension == ".node" ? ".ele" : ".node"));
  }
  require_no_waiting(output);
  require_content(arguments.input, "a mesh file");
  if (is_surface(arguments.input))
    convert_surface(arguments);
  else
    convert_tetrahedra(arguments);
  std::cout << arguments.output << ": written\n";
  return 0;
}

}  // namespace deformbench::harness
