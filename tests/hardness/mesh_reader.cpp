// SPDX-License-Identifier: BSD-3-Clause
// Reads a mesh file as the scenes do: exit code 0 and a line about it, or 2 and one line about what is wrong with it.
// For tetrahedra the line gives the volume and the area of the boundary.
//     mesh_reader FILE            mesh_reader --samples FOLDER   (writes a file of every format that is read)
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"
#include "methods/model/structured.hpp"
#include "tests/model/sample_mesh_files.hpp"

namespace {

namespace fs = std::filesystem;
using namespace deformbench;

void write(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

void write_samples(const fs::path& folder) {
  const model::TetMesh block = model::make_block({2, 1, 1}, {0, 0, 0}, {2, 1, 1});
  std::vector<model::SampleFile> samples = model::tet_mesh_samples(block);
  for (auto& sample : model::surface_samples(model::boundary_surface(block).surface))
    samples.push_back(std::move(sample));
  for (const auto& sample : samples) {
    write(folder / sample.name, sample.content);
    if (!sample.beside_name.empty()) write(folder / sample.beside_name, sample.beside_content);
  }
}

bool is_surface(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".obj" || extension == ".off" || extension == ".ply" || extension == ".stl";
}

void read(const fs::path& path) {
  if (is_surface(path)) {
    const auto file = model::read_triangle_mesh(path.string());
    std::printf("%s: %d vertices, %d triangles\n", file.format.c_str(), int(file.mesh.vertex_count()),
                int(file.mesh.triangle_count()));
  } else {
    const auto file = model::read_tet_mesh(path.string());
    const auto boundary = model::boundary_surface(file.mesh).surface;
    std::printf("%s: %d vertices, %d tetrahedra, volume %.17g m³, surface %.17g m²\n", file.format.c_str(),
                int(file.mesh.vertex_count()), int(file.mesh.element_count()),
                model::total_volume(file.mesh, file.mesh.rest_positions), model::surface_area(boundary));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string(argv[1]) == "--samples")
      write_samples(argv[2]);
    else if (argc == 2)
      read(argv[1]);
    else
      throw InputError("expected a mesh file, or --samples and a folder");
    return 0;
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", error.what());
    return 1;
  }
}
