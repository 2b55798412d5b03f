// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/frame_recorder.hpp"

#include <algorithm>
#include <cmath>

namespace deformbench::harness {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t size(Eigen::Index rows) {
  return std::size_t(rows);
}

/// An integer array with `columns` columns, or a list if `columns` is 0.
FrameArray indices(const char* name, const char* description, const char* source, const int* values, std::size_t rows,
                   std::size_t columns) {
  FrameArray array{{name, "1", "index", description, source, {rows}, ScalarType::Int64}};
  if (columns > 0) array.spec.row_shape.push_back(columns);
  array.integers.assign(values, values + rows * std::max<std::size_t>(columns, 1));
  return array;
}

FrameArray points(const char* name, const char* unit, const char* quantity, const char* description,
                  const Points& values) {
  return {{name, unit, quantity, description, "harness", {size(values.rows()), 3}},
          {values.data(), values.data() + values.size()}};
}

FrameArray measured(const std::string& channel, const ProbeInput& input) {
  const auto probe = make_probe(channel, input.scene, input.simulation);
  FrameArray array{probe->channels().at(0)};
  std::vector<double> values(array.spec.row_size());
  probe->measure(input, values);
  if (array.spec.type == ScalarType::Float64) {
    array.reals = std::move(values);
  } else {
    for (const double value : values) array.integers.push_back(int(std::lround(value)));
  }
  return array;
}

Points rotated_normals(const surface::FracturingSurface& skin, const std::vector<Matrix3>& rotations) {
  Points normals = skin.rest_normals();
  for (Eigen::Index i = 0; i < normals.rows(); ++i) {
    const Vector3 rest = normals.row(i);
    normals.row(i) = rotations.at(size(skin.elements().at(size(i)))) * rest;
  }
  return normals;
}

}  // namespace

FrameRecorder::FrameRecorder(const std::vector<std::string>& fields, const std::vector<std::string>& row_names,
                             std::vector<std::string> arrays, const Simulation& simulation)
    : fields_{"positions", "velocities"}, arrays_(std::move(arrays)) {
  for (const std::string& name : fields) {
    if (contains(fields_, name) || name == "skin_positions") continue;
    (name.starts_with("skin_") ? skin_fields_ : fields_).push_back(name);
  }
  const auto* plastic = find_facet<PlasticStrainFacet>(simulation);
  if (plastic == nullptr) return;
  if (!contains(row_names, "element_plastic_strains")) fields_.emplace_back("element_plastic_strains");
  if (!plastic->heated().empty() && !contains(row_names, "heated_elements")) fields_.emplace_back("heated_elements");
}

void FrameRecorder::record(TraceWriter& writer, std::int64_t step, const ProbeInput& input,
                           const BodyFollower& body) const {
  TraceFrame frame{step, input.time};
  if (body.changes_topology()) add_mesh(input, body, frame);
  for (const std::string& name : arrays_) {
    MethodArray array = facet_of<ArraysFacet>(input.simulation).array(name);
    frame.arrays.push_back({{array.name, array.unit, array.quantity, array.description, "method", array.shape,
                             array.is_integer ? ScalarType::Int64 : ScalarType::Float64},
                            std::move(array.reals),
                            std::move(array.integers)});
  }
  writer.frame(frame);
}

void FrameRecorder::add_mesh(const ProbeInput& input, const BodyFollower& body, TraceFrame& frame) const {
  const Tetrahedra& tetrahedra = input.scene.tet_mesh.tetrahedra;
  const Triangles& cloth = input.scene.cloth.triangles;
  if (tetrahedra.rows() > 0)
    frame.arrays.push_back(indices("tetrahedra", "Vertices of every tetrahedron.", "method", tetrahedra.data(),
                                   size(tetrahedra.rows()), 4));
  if (cloth.rows() > 0)
    frame.arrays.push_back(indices("triangles", "Vertices of every triangle of the cloth.", "method", cloth.data(),
                                   size(cloth.rows()), 3));
  const auto parents = body.parents();
  frame.arrays.push_back(indices("parents", "Vertex of /scene that every vertex descends from.", "method",
                                 parents.data(), parents.size(), 0));
  for (const std::string& name : fields_) frame.arrays.push_back(measured(name, input));

  if (const surface::FracturingSurface* skin = body.skin()) {
    Points positions, normals;
    skin->update(input.positions, tetrahedra, positions, normals);
    const auto triangles = skin->triangles();
    const auto& origins = skin->triangle_origins();
    frame.arrays.push_back(points("skin_positions", "m", "position", "Vertices of the cut surface.", positions));
    frame.arrays.push_back(points("skin_normals", "1", "normal", "Normals (cof F) n of the cut surface.", normals));
    frame.arrays.push_back(indices("skin_triangles", "Vertices of every triangle of the cut surface.", "harness",
                                   triangles.data(), size(triangles.rows()), 3));
    frame.arrays.push_back(indices("skin_origins", "Triangle of /scene/skin_triangles, or −1 − face on a crack.",
                                   "harness", origins.data(), origins.size(), 0));
    for (const std::string& name : skin_fields_) {
      if (name == "skin_rest_positions")
        frame.arrays.push_back(points("skin_rest_positions", "m", "position", "Vertices of the cut surface at rest.",
                                      skin->rest_positions()));
      if (name == "skin_elements")
        frame.arrays.push_back(indices("skin_elements", "Element that every vertex of the cut surface follows.",
                                       "harness", skin->elements().data(), skin->elements().size(), 0));
      if (name == "skin_normals_exact")
        frame.arrays.push_back(
            points("skin_normals_exact", "1", "normal", "Normals (cof F) n of the cut surface.", normals));
      if (name == "skin_normals_rotated")
        frame.arrays.push_back(
            points("skin_normals_rotated", "1", "normal", "Normals of the cut surface turned by the element's R.",
                   rotated_normals(*skin, facet_of<RotationFacet>(input.simulation).rotations(input.positions))));
    }
  }
}

}  // namespace deformbench::harness
