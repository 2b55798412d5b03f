// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/mueller_gross_2004/scenes/flaws.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/error.hpp"
#include "methods/model/structured.hpp"

namespace deformbench::scenes {
namespace {

Vector3 centroid(const model::TetMesh& mesh, Eigen::Index e) {
  Vector3 sum = Vector3::Zero();
  for (const int v : mesh.tetrahedra.row(e)) sum += mesh.rest_positions.row(v).transpose();
  return sum / 4.0;
}

/// Keeps the marked elements and their vertices, and updates vertex sets.
void keep_elements(Scene& scene, const std::vector<bool>& is_kept) {
  model::TetMesh& mesh = scene.tet_mesh;
  std::vector<int> number(std::size_t(mesh.vertex_count()), -1);
  std::vector<Eigen::Index> elements;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    if (!is_kept[std::size_t(e)]) continue;
    elements.push_back(e);
    for (const int v : mesh.tetrahedra.row(e)) number[std::size_t(v)] = 0;
  }
  std::vector<int> vertices;
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v] == 0) {
      number[v] = int(vertices.size());
      vertices.push_back(int(v));
    }
  const Points rest = mesh.rest_positions(vertices, Eigen::all);
  Tetrahedra tetrahedra = mesh.tetrahedra(elements, Eigen::all);
  for (Eigen::Index i = 0; i < tetrahedra.size(); ++i) tetrahedra.data()[i] = number[std::size_t(tetrahedra.data()[i])];
  mesh.rest_positions = rest;
  mesh.tetrahedra = tetrahedra;
  for (auto& [name, set] : scene.vertex_sets) {
    std::vector<int> kept;
    for (const int v : set)
      if (number[std::size_t(v)] >= 0) kept.push_back(number[std::size_t(v)]);
    set = kept;
  }
}

/// Removes elements with chosen centroids; `radius` (m) for the message.
template <class Choose>
void remove_if(Scene& scene, double radius, Choose&& is_chosen) {
  const model::TetMesh& mesh = scene.tet_mesh;
  std::vector<bool> is_kept(std::size_t(mesh.element_count()));
  bool any_goes = false;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    const bool goes = is_chosen(centroid(mesh, e));
    is_kept[std::size_t(e)] = !goes;
    any_goes = any_goes || goes;
  }
  if (!any_goes)
    throw InputError(
        fmt::format("scene {}: a flaw of radius {} m holds no element, expected a larger one", scene.name, radius));
  keep_elements(scene, is_kept);
}

Matrix3 stress_tensor(const Parameters& p) {
  const auto& s = p.list("stress_pa");
  Matrix3 stress;
  stress << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return stress;
}

}  // namespace

void cut_slit(Scene& scene, double front) {
  model::TetMesh& mesh = scene.tet_mesh;
  const double tolerance = 1e-6 * model::shortest_edge(mesh);
  std::vector<int> copy(std::size_t(mesh.vertex_count()), -1);
  std::vector<int> doubled;
  bool any_stays = false;
  for (const int v : model::vertices_on_plane(mesh.rest_positions, 0, 0.0, tolerance)) {
    if (mesh.rest_positions(v, 1) > front + tolerance) {
      copy[std::size_t(v)] = int(mesh.vertex_count()) + int(doubled.size());
      doubled.push_back(v);
    } else {
      any_stays = true;
    }
  }
  if (doubled.empty() || !any_stays)
    throw InputError(
        fmt::format("scene {}: a slit down to y = {} m cuts {}, expected a part of the plane x = 0 that is made "
                    "of faces",
                    scene.name, front, doubled.empty() ? "nothing" : "everything"));
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    if (centroid(mesh, e).x() <= 0.0) continue;
    for (int k = 0; k < 4; ++k) {
      int& v = mesh.tetrahedra(e, k);
      if (copy[std::size_t(v)] >= 0) v = copy[std::size_t(v)];
    }
  }
  Points rest(mesh.vertex_count() + Eigen::Index(doubled.size()), 3);
  rest << mesh.rest_positions, mesh.rest_positions(doubled, Eigen::all);
  mesh.rest_positions = rest;
}

void remove_ball(Scene& scene, const Vector3& centre, double radius) {
  remove_if(scene, radius, [&](const Vector3& x) { return (x - centre).norm() <= radius; });
}

void remove_disc(Scene& scene, const Vector3& centre, const Vector3& normal, double radius, double thickness) {
  remove_if(scene, radius, [&](const Vector3& x) {
    return std::abs(normal.dot(x - centre)) <= 0.5 * thickness && (x - centre).norm() <= radius;
  });
}

Vector3 principal_direction(const Parameters& p) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> principal(stress_tensor(p));
  return principal.eigenvectors().col(2);
}

ParameterSpec stress_parameters() {
  ParameterInfo stress{"stress_pa", "Pa", std::vector<double>{1e4, 0, 0, 0, 0, 0},
                       "Uniform stress that the faces bear: xx, yy, zz, xy, yz, zx; tension is positive."};
  stress.length = 6;
  return {stress, non_negative_parameter("ramp_s", "s", 0.0, "Time over which it grows; 0: at once."),
          non_negative_parameter("hold_s", "s", 0.0, "Steps that end by then feel it; 0: all do.")};
}

void stress_faces(Scene& scene, const Parameters& p, double angle) {
  const Matrix3 stress = stress_tensor(p);
  const Matrix3 turn = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
  const auto& rest = scene.tet_mesh.rest_positions;
  const double tolerance = 1e-6 * model::shortest_edge(scene.tet_mesh);
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const Vector3 traction = turn * stress * (side * Vector3::Unit(axis));
      if (traction.isZero(0.0)) continue;
      const double plane = side < 0 ? rest.col(axis).minCoeff() : rest.col(axis).maxCoeff();
      model::TractionLoad load;
      load.triangles = model::boundary_triangles_on_plane(scene.tet_mesh, axis, plane, tolerance);
      load.traction = traction;
      load.ramp = held_for(p.real("hold_s"), scene.time_step);
      load.ramp.end = p.real("ramp_s");
      scene.traction_loads.push_back(std::move(load));
    }
  if (angle != 0.0) scene.initial_positions = rest * turn.transpose();
}

}  // namespace deformbench::scenes
