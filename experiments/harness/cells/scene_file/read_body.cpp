// SPDX-License-Identifier: BSD-3-Clause
// Reads the deformable body of a scene file (mesh files or lists), materials, and the skin.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>
#include <set>

#include "experiments/harness/cells/scene_file/reader_parts.hpp"
#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"

namespace deformbench::harness {
namespace {

/// The path in `file`, recorded as part of the scene's content. TetGen has two or three files.
std::string mesh_path(const JsonNode& file, SceneReading& reading) {
  const std::filesystem::path path = reading.folder / file.text();
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) file.fail("a file beside the scene (no " + path.string() + ")");
  if (std::filesystem::file_size(path, error) == 0) file.fail("a file with content");  // some in /proc block
  reading.result.mesh_files.push_back(path);
  const bool is_tetgen = path.extension() == ".node" || path.extension() == ".ele";
  for (const char* extension : {".node", ".ele", ".face"}) {
    std::filesystem::path other = path;
    other.replace_extension(extension);
    if (!is_tetgen || other == path ||
        (other.extension() == ".face" && !std::filesystem::is_regular_file(other, error)))
      continue;
    reading.result.mesh_files.push_back(other);
  }
  return path.string();
}

/// Runs `work`; prefixes its mesh-file errors with the location in the scene file.
template <class Work>
auto of_mesh_file(const JsonNode& file, Work&& work) {
  try {
    return work();
  } catch (const InputError& error) {
    file.refuse(error.what());
  }
}

void place(const JsonNode& node, Points& points) {
  const double scale = node.number_or("scale", 1.0);
  const Matrix3 rotation = node.has("rotation") ? rotation_of(node.at("rotation")) : Matrix3::Identity();
  const Vector3 translation = node.vector_or("translation_m", Vector3::Zero());
  const bool stays = scale == 1.0 && rotation == Matrix3::Identity() && translation.isZero(0.0);
  if (stays) return;  // keeps the exact bits of the file
  for (Eigen::Index v = 0; v < points.rows(); ++v) {
    const Vector3 x = points.row(v);
    points.row(v) = rotation * (scale * x) + translation;
  }
  if (!points.allFinite()) node.refuse("its placement moves vertices to coordinates that are not finite numbers");
}

/// Flips inverted tetrahedra if all are inverted (a format convention) or on request: some inverted are a defect.
void orient(const JsonNode& node, model::TetMeshFile& file) {
  auto& mesh = file.mesh;
  Eigen::Index negative = 0;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
    negative += model::tetrahedron_volume(mesh, mesh.rest_positions, e) < 0.0;
  if (negative != mesh.element_count() && !node.flag_or("reorient", false)) return;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
    if (model::tetrahedron_volume(mesh, mesh.rest_positions, e) < 0.0)
      std::swap(mesh.tetrahedra(e, 2), mesh.tetrahedra(e, 3));
}

/// Drops vertices without tetrahedron, and the faces at them.
void drop_unused_vertices(model::TetMeshFile& file) {
  std::vector<int> new_number(std::size_t(file.mesh.vertex_count()), -1);
  for (const int v : file.mesh.tetrahedra.reshaped()) new_number[std::size_t(v)] = 0;
  int count = 0;
  for (int& number : new_number)
    if (number == 0) number = count++;  // without_unreferenced_vertices keeps the order
  std::erase_if(file.faces, [&](const model::GroupedFace& face) {
    return std::ranges::any_of(face.vertices, [&](int v) { return new_number[std::size_t(v)] < 0; });
  });
  for (model::GroupedFace& face : file.faces)
    for (int& v : face.vertices) v = new_number[std::size_t(v)];
  file.mesh = model::without_unreferenced_vertices(file.mesh);
  file.source.vertex_lines.clear();
}

template <class Rows>
void append_rows(const Rows& more, Rows& rows, int offset) {
  const Eigen::Index before = rows.rows();
  rows.conservativeResize(before + more.rows(), Eigen::NoChange);
  rows.bottomRows(more.rows()) = more;
  rows.bottomRows(more.rows()).array() += typename Rows::Scalar(offset);
}

void append_points(const Points& more, Points& points) {
  const Eigen::Index before = points.rows();
  points.conservativeResize(before + more.rows(), Eigen::NoChange);
  points.bottomRows(more.rows()) = more;
}

void add_tetrahedra(const JsonNode& node, int index, SceneReading& reading) {
  const JsonNode name = node.at("file");
  const std::string path = mesh_path(name, reading);
  model::TetMeshFile file = of_mesh_file(name, [&] {
    model::TetMeshFile read = model::read_tet_mesh(path, {.reorient = false});
    orient(node, read);
    if (node.flag_or("drop_unused_vertices", false)) drop_unused_vertices(read);
    for (const auto& finding : model::find_problems(read.mesh)) {
      using enum model::FindingKind;
      const char* remedy = finding.kind == UnreferencedVertex
                               ? "; \"drop_unused_vertices\": true leaves such vertices out"
                           : finding.kind == InvertedElement ? "; \"reorient\": true turns such tetrahedra"
                                                             : nullptr;
      if (remedy != nullptr) throw InputError(model::place_of(finding, read.source) + finding.message + remedy);
    }
    model::require_simulatable(read.mesh, read.source);
    return read;
  });
  place(node, file.mesh.rest_positions);
  auto& mesh = reading.scene().tet_mesh;
  auto& origin = reading.origin;
  for (model::GroupedFace face : file.faces) {
    for (int& v : face.vertices) v += int(mesh.vertex_count());
    origin.faces.push_back(face);
  }
  append_rows(file.mesh.tetrahedra, mesh.tetrahedra, int(mesh.vertex_count()));
  append_points(file.mesh.rest_positions, mesh.rest_positions);
  origin.vertex_mesh.insert(origin.vertex_mesh.end(), std::size_t(file.mesh.vertex_count()), index);
  for (std::size_t e = 0; e < std::size_t(file.mesh.element_count()); ++e)
    origin.element_group.push_back(file.element_regions.empty() ? BodyOrigin::kNoGroup : file.element_regions[e]);
}

void add_cloth(const JsonNode& node, int index, SceneReading& reading) {
  for (const char* key : {"reorient", "drop_unused_vertices"})
    if (node.has(key)) node.at(key).refuse("is for tetrahedra, expected no such key of a surface");
  const JsonNode name = node.at("file");
  const std::string path = mesh_path(name, reading);
  const auto file = of_mesh_file(name, [&] { return model::read_triangle_mesh(path); });
  model::TriangleMesh surface = file.mesh;
  place(node, surface.positions);
  auto& cloth = reading.scene().cloth;
  append_rows(surface.triangles, cloth.triangles, int(cloth.vertex_count()));
  append_points(surface.positions, cloth.rest_positions);
  reading.origin.vertex_mesh.insert(reading.origin.vertex_mesh.end(), std::size_t(surface.vertex_count()), index);
}

void read_mesh_files(const JsonNode& body, bool is_cloth, SceneReading& reading) {
  for (const char* key : {"vertices_m", "tetrahedra", "triangles"})
    if (body.has(key)) body.at(key).refuse("stands beside \"meshes\", expected mesh files or lists, not both");
  reading.scene().tet_mesh.tetrahedra.resize(0, 4);
  reading.scene().tet_mesh.rest_positions.resize(0, 3);
  int index = 0;
  for (const JsonNode& mesh : body.list("meshes")) {
    const std::string id = mesh.has("id") ? mesh.at("id").text() : "";
    auto& ids = reading.origin.mesh_ids;
    if (!id.empty() && std::find(ids.begin(), ids.end(), id) != ids.end())
      mesh.at("id").fail("an id that no other mesh has");
    ids.push_back(id);
    is_cloth ? add_cloth(mesh, index, reading) : add_tetrahedra(mesh, index, reading);
    ++index;
  }
}

void check_given_tetrahedra(const JsonNode& tetrahedra, const model::TetMesh& mesh) {
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    const double volume = model::tetrahedron_volume(mesh, mesh.rest_positions, e);
    if (volume > 0.0) continue;
    tetrahedra.at(std::size_t(e))
        .fail(fmt::format("a positive volume (this one has {:.3g} m³, {})", volume,
                          volume < 0 ? "inverted" : "degenerate"));
  }
}

/// Checks that all keys belong to this kind of body.
void expect_keys_of_kind(const JsonNode& body, const std::string& kind) {
  const std::set<std::string> allowed =
      kind == "tetrahedra" ? std::set<std::string>{"kind", "meshes", "vertices_m", "tetrahedra"}
      : kind == "cloth"    ? std::set<std::string>{"kind", "meshes", "vertices_m", "triangles", "area_density_kg_m2"}
                           : std::set<std::string>{"kind", "vertices_m", "masses_kg", "supports_m"};
  for (const auto& [key, ignored] : body.value().items())
    if (!allowed.contains(key)) body.at(key).refuse(fmt::format("is no key of a body of kind \"{}\"", kind));
}

}  // namespace

double angle_of(const JsonNode& rotation) {
  if (rotation.has("angle_deg") == rotation.has("angle_rad")) rotation.fail("one of angle_deg and angle_rad");
  if (rotation.has("angle_rad")) return rotation.at("angle_rad").number();
  return rotation.at("angle_deg").number() * std::numbers::pi / 180.0;
}

Matrix3 rotation_of(const JsonNode& rotation) {
  return Eigen::AngleAxisd(angle_of(rotation), rotation.at("axis").unit_vector()).toRotationMatrix();
}

model::TriangleMesh read_surface(const JsonNode& node, SceneReading& reading) {
  model::TriangleMesh surface;
  if (node.has("file")) {
    for (const char* key : {"vertices_m", "triangles"})
      if (node.has(key)) node.at(key).refuse("stands beside \"file\", expected one of the two");
    const std::string path = mesh_path(node.at("file"), reading);
    surface = of_mesh_file(node.at("file"), [&] { return model::read_triangle_mesh(path); }).mesh;
    place(node, surface.positions);
    return surface;
  }
  for (const char* key : {"scale", "rotation", "translation_m"})
    if (node.has(key)) node.at(key).refuse("places a mesh file, expected \"file\" beside it");
  surface.positions = node.at("vertices_m").points();
  surface.triangles = node.at("triangles").triangles(surface.vertex_count());
  return surface;
}

void read_body(SceneReading& reading) {
  Scene& scene = reading.scene();
  if (reading.document.has("body")) {
    const JsonNode body = reading.document.at("body");
    const std::string kind = body.at("kind").text();
    expect_keys_of_kind(body, kind);
    if (kind == "cloth") scene.cloth.area_density = body.at("area_density_kg_m2").number();
    if (body.has("meshes")) {
      read_mesh_files(body, kind == "cloth", reading);
    } else if (kind == "tetrahedra") {
      scene.tet_mesh.rest_positions = body.at("vertices_m").points();
      scene.tet_mesh.tetrahedra = body.at("tetrahedra").tetrahedra(scene.tet_mesh.vertex_count());
      check_given_tetrahedra(body.at("tetrahedra"), scene.tet_mesh);
    } else if (kind == "cloth") {
      scene.cloth.rest_positions = body.at("vertices_m").points();
      scene.cloth.triangles = body.at("triangles").triangles(scene.cloth.vertex_count());
    } else {
      scene.particles.rest_positions = body.at("vertices_m").points();
      const auto masses = body.at("masses_kg").numbers();
      if (Eigen::Index(masses.size()) != scene.particles.vertex_count())
        body.at("masses_kg")
            .refuse(fmt::format("has {} entries, expected {}, one per vertex", masses.size(),
                                scene.particles.vertex_count()));
      scene.particles.masses = Eigen::Map<const Eigen::VectorXd>(masses.data(), Eigen::Index(masses.size()));
      if (body.has("supports_m")) {
        const auto supports = body.at("supports_m").numbers();
        if (supports.size() != masses.size())
          body.at("supports_m")
              .refuse(fmt::format("has {} entries, expected {}, one per vertex", supports.size(), masses.size()));
        scene.particles.supports = Eigen::Map<const Eigen::VectorXd>(supports.data(), Eigen::Index(supports.size()));
      }
    }
  }
  if (reading.document.has("skin")) scene.skin = read_surface(reading.document.at("skin"), reading);
}

void read_materials(SceneReading& reading, const Selector& selector) {
  Scene& scene = reading.scene();
  const auto elements = std::size_t(scene.tet_mesh.element_count());
  auto& ids = reading.result.material_ids;
  for (const JsonNode& node : reading.document.list("materials")) {
    const std::string id = node.at("id").text();
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) node.at("id").fail("an id that no other material has");
    ids.push_back(id);
    scene.materials.push_back(
        {node.at("young_modulus_pa").number(), node.at("poisson_ratio").number(), node.at("density_kg_m3").number()});
    if (!node.has("elements")) continue;
    if (reading.document.has("element_materials"))
      node.at("elements").refuse("stands beside \"element_materials\", expected one of the two");
    if (scene.element_material.empty()) scene.element_material.assign(elements, 0);
    for (const int e : selector.elements(node.at("elements")))
      scene.element_material[std::size_t(e)] = int(scene.materials.size()) - 1;
  }
  if ((elements > 0 || scene.particles.is_solid()) && scene.materials.empty())
    reading.document.refuse("missing key \"materials\"");
  if (!reading.document.has("element_materials")) return;
  const JsonNode list = reading.document.at("element_materials");
  if (list.size() != elements)
    list.refuse(fmt::format("has {} entries, expected {}, one per tetrahedron", list.size(), elements));
  scene.element_material = list.indices(Eigen::Index(scene.materials.size()), "materials");
}

}  // namespace deformbench::harness
