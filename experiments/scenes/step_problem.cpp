// SPDX-License-Identifier: BSD-3-Clause
// One implicit step, or the steps after it, of a body that starts deformed: the problem on which solvers are compared.
// Without gravity and spin it starts at rest, so that the inertial prediction is the start itself and every rule for
// the first guess of an iteration gives the same positions.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "experiments/scenes/animal_models.hpp"
#include "experiments/scenes/irregular_mesh.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/structured.hpp"
#include "methods/model/subdivision.hpp"
#include "methods/numerics/random.hpp"
#include "methods/surface/tetrahedralize.hpp"

namespace deformbench::scenes {
namespace {

enum ProblemStream : std::uint64_t { kStart = kDensity + 1, kOnSphere, kContrast };
constexpr double kLengthOverSide = 4.0;
constexpr double kGrading = 3.0;
constexpr int kPartsOfHexahedron = 6;

bool is_animal(const Parameters& p) {
  return p.text("family") == "animal";
}

/// Kuhn's split in an order from which a method with hexahedra finds them.
bool is_hexahedral(const std::string& family) {
  return family == "hexahedral" || family == "hexahedral_graded";
}

model::TetMesh regular_mesh(const Parameters& p) {
  const int across = int(p.integer("cells_across"));
  const double side = p.real("side_m"), length = kLengthOverSide * side;
  const std::string& family = p.text("family");
  if (is_animal(p)) {  // as many elements as the bar of Kuhn's split
    const auto skin = animal_surface("quadruped", 0, length, false, "step_problem");
    return surface::tetrahedralize_to_count(skin, 24 * across * across * across, surface::CellLattice::Cubes, 0.5).mesh;
  }
  const auto split = family == "kuhn" || is_hexahedral(family) ? model::BlockSplit::KuhnSix
                     : family == "body_centred"                ? model::BlockSplit::BodyCentred
                                                               : model::BlockSplit::AlternatingFive;
  auto mesh = model::make_block({int(kLengthOverSide) * across, across, across}, {0.0, -side / 2, -side / 2},
                                {length, side, side}, split);
  if (family == "graded" || family == "hexahedral_graded") grade(mesh.rest_positions, kGrading);
  return mesh;
}

/// Vertices at the low and the high end along x: the end faces of a bar, a twentieth of an animal.
struct Ends {
  std::vector<int> root, tip;
};

Ends ends_of(const model::TetMesh& mesh, bool is_animal) {
  Ends ends;
  const auto x = mesh.rest_positions.col(0);
  const double low = x.minCoeff(), high = x.maxCoeff(), depth = (is_animal ? 0.05 : 1e-6) * (high - low);
  for (int v = 0; v < int(x.size()); ++v) {
    if (x[v] <= low + depth) ends.root.push_back(v);
    if (x[v] >= high - depth) ends.tip.push_back(v);
  }
  return ends;
}

double median_edge(const model::TetMesh& mesh) {
  std::vector<std::pair<int, int>> edges;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
    for (const auto& [a, b] : model::kEdgesOfTetrahedron)
      edges.push_back(std::minmax({mesh.tetrahedra(e, a), mesh.tetrahedra(e, b)}));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<double> lengths;
  for (const auto& [a, b] : edges) lengths.push_back((mesh.rest_positions.row(a) - mesh.rest_positions.row(b)).norm());
  const auto middle = lengths.begin() + std::ptrdiff_t(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

/// `amount` as the parameter of this name says; h is the median edge.
Points deformed(const Parameters& p, const Points& rest, double h) {
  const std::string& start = p.text("start");
  const double amount = p.real("amount");
  const Vector3 low = rest.colwise().minCoeff(), high = rest.colwise().maxCoeff(), centre = (low + high) / 2;
  const double length = high.x() - low.x();
  if (start == "noise") return rest + normal_points(p, kStart, rest.rows(), amount * h);
  Points x = rest;
  numerics::RandomStream random(std::uint64_t(p.integer("seed")), kOnSphere);
  for (Eigen::Index v = 0; v < x.rows(); ++v) {
    const Vector3 away = rest.row(v).transpose() - centre;
    Vector3 here = away;
    if (start == "twisted") {
      const double angle = radians(amount) * (rest(v, 0) - low.x()) / length;
      here = Eigen::AngleAxisd(angle, Vector3::UnitX()) * away;
    } else if (start == "stretched") {
      here.x() = amount * (rest(v, 0) - low.x()) - length / 2;
    } else if (start == "flat") {
      here.z() = 0.0;
    } else if (start == "line") {
      here.y() = here.z() = 0.0;
    } else if (start == "point") {
      here.setZero();
    } else if (start == "sphere") {
      here = length / 2 * random.direction();
    } else if (start == "mirrored") {
      here.x() = -here.x();
    }
    x.row(v) = (centre + here).transpose();
  }
  return start == "rest" ? x : Points(x + normal_points(p, kStart, rest.rows(), p.real("start_noise") * h));
}

void hold_at(Scene& scene, std::vector<int> vertices, const Points& places) {
  model::PrescribedMotion held;
  held.targets = places(vertices, Eigen::all);
  for (const int v : vertices) scene.initial_positions.row(v) = places.row(v);
  held.vertices = std::move(vertices);
  scene.prescribed.push_back(std::move(held));
}

/// All vertices but some, in ascending order, of which no two share an element.
std::vector<int> all_but_independent(const model::TetMesh& mesh) {
  std::vector<std::vector<Eigen::Index>> elements(std::size_t(mesh.vertex_count()));
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
    for (const int v : mesh.tetrahedra.row(e)) elements[std::size_t(v)].push_back(e);
  std::vector<bool> is_taken(std::size_t(mesh.element_count()), false);
  std::vector<int> held;
  for (std::size_t v = 0; v < elements.size(); ++v) {
    const auto taken = [&](Eigen::Index e) { return is_taken[std::size_t(e)]; };
    if (std::any_of(elements[v].begin(), elements[v].end(), taken)) {
      held.push_back(int(v));
    } else {
      for (const Eigen::Index e : elements[v]) is_taken[std::size_t(e)] = true;
    }
  }
  return held;
}

/// Young's modulus by omega or theta, stiffer in some elements if wanted.
void set_materials(const Parameters& p, Scene& scene, double h) {
  const auto& rest = scene.tet_mesh.rest_positions;
  const Vector3 low = rest.colwise().minCoeff(), high = rest.colwise().maxCoeff();
  model::Material soft;
  soft.poisson_ratio = p.real("poisson_ratio");
  soft.density = p.real("density_kg_m3");
  const double theta = p.real("theta"), size = theta > 0.0 ? (high - low).maxCoeff() : h;
  soft.young_modulus =
      (theta > 0.0 ? theta : p.real("omega")) * soft.density * size * size / (scene.time_step * scene.time_step);
  scene.materials = {soft};
  if (p.real("contrast") == 1.0) return;
  scene.materials.push_back(soft);
  scene.materials[1].young_modulus *= p.real("contrast");
  numerics::RandomStream random(std::uint64_t(p.integer("seed")), kContrast);
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    double x = 0.0;  // of the centre; Eigen's mean of an indexed column is that of its first entry
    for (const int v : scene.tet_mesh.tetrahedra.row(e)) x += rest(v, 0) / 4;
    scene.element_material.push_back(p.text("contrast_pattern") == "random" ? int(random.below(2))
                                                                            : int(x > (low.x() + high.x()) / 2));
  }
}

Scene build_problem(const Parameters& p) {
  Scene scene;
  scene.name = "step_problem";
  scene.time_step = p.real("time_step_s");
  scene.gravity = vector_of(p, "gravity_m_s2");
  const auto seed = std::uint64_t(p.integer("seed"));
  scene.tet_mesh = regular_mesh(p);
  renumber(scene, seed, is_hexahedral(p.text("family")) ? kPartsOfHexahedron : 1);
  model::JitterOptions jitter{p.real("jitter"), seed, false, 0.1};
  model::TetMesh moved = model::jitter(scene.tet_mesh, jitter);
  model::TetMesh pulled = moved;  // at its tip alone; vertices between others stay in their middle
  const auto x = scene.tet_mesh.rest_positions.col(0);
  const double way = (p.real("amount") - 1.0) * (x.maxCoeff() - x.minCoeff());
  for (const int v : ends_of(scene.tet_mesh, is_animal(p)).tip) pulled.rest_positions(v, 0) += way;
  if (p.integer("subdivisions") > 0) {  // the ends are those of the mesh before it was moved
    scene.tet_mesh = model::subdivide(scene.tet_mesh);
    moved = model::subdivide(moved);
    pulled = model::subdivide(pulled);
  }
  const Ends ends = ends_of(scene.tet_mesh, is_animal(p));
  scene.vertex_sets = {{"root", ends.root}, {"tip", ends.tip}};
  scene.tet_mesh = std::move(moved);

  const Points& rest = scene.tet_mesh.rest_positions;
  const double h = median_edge(scene.tet_mesh);
  set_materials(p, scene, h);
  scene.initial_positions = p.text("start") == "tip_moved" ? pulled.rest_positions : deformed(p, rest, h);
  const std::string& held = p.text("held");
  if (held == "root" || held == "both") hold_at(scene, scene.vertex_sets.at("root"), rest);
  if (held == "both") hold_at(scene, scene.vertex_sets.at("tip"), scene.initial_positions);
  if (held == "all_but_independent") hold_at(scene, all_but_independent(scene.tet_mesh), scene.initial_positions);
  if (const double spin = p.real("spin_rad_s"); spin != 0.0) {
    const Vector3 centre = scene.initial_positions.colwise().mean();
    scene.initial_velocities.resize(rest.rows(), 3);
    for (Eigen::Index v = 0; v < rest.rows(); ++v) {
      const Vector3 away = scene.initial_positions.row(v).transpose() - centre;
      scene.initial_velocities.row(v) = spin * Vector3::UnitZ().cross(away).transpose();
    }
  }
  lift_bounds(p, scene);
  return scene;
}

}  // namespace

SceneDescriptor step_problem() {
  ParameterInfo across{"cells_across", "1", 2LL, "Cells along y and along z of the bar, four times as many along x."};
  across.minimum = 1;
  ParameterInfo jitter = non_negative_parameter("jitter", "1", 0.3, "Largest displacement at rest, in shortest edges.");
  jitter.maximum = 1.0;
  ParameterInfo subdivisions{"subdivisions", "1", 0LL,
                             "1: each tetrahedron becomes eight, as quadratic elements need."};
  subdivisions.minimum = 0;
  subdivisions.maximum = 1;
  ParameterInfo contrast =
      real_parameter("contrast", "1", 1.0, "Young's modulus of the stiffer relative to the softer.");
  contrast.minimum = 1.0;
  return {
      "step_problem",
      "A body that starts deformed and, by default, without velocity: one step on which solvers are compared.",
      {choice_parameter("family", "kuhn",
                        {"kuhn", "body_centred", "graded", "animal", "hexahedral", "hexahedral_graded"},
                        "Mesh: a bar of Kuhn's split, of a body-centred lattice or of graded cells; an animal; bars "
                        "of Kuhn's split, equal or graded, whose tetrahedra stay together as parts of hexahedra."),
       across,
       positive_parameter("side_m", "m", 0.1, "Extent of the bar along y and z; a quarter of the length."),
       jitter,
       subdivisions,
       positive_parameter("omega", "1", 1.0, "Ω = Δt²E/(ρh²), h the median edge at rest: gives Young's modulus."),
       non_negative_parameter("theta", "1", 0.0, "Θ = Δt²E/(ρL²), L the longest extent; above 0 instead of omega."),
       poisson_parameter(0.3),
       contrast,
       choice_parameter("contrast_pattern", "halves", {"halves", "random"}, "Which elements are stiffer."),
       positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
       positive_parameter("time_step_s", "s", 0.01, "Time step."),
       choice_parameter(
           "start", "twisted",
           {"rest", "twisted", "stretched", "tip_moved", "noise", "flat", "line", "point", "sphere", "mirrored"},
           "Start: twisted about x, stretched along x, at rest but for the high end, which is moved along x, displaced "
           "at random, pressed flat, onto a line or a point, thrown on a sphere, or mirrored."),
       real_parameter("amount", "1", 90.0,
                      "Twist from end to end, degrees; stretch, also of tip_moved; deviation of noise, in h."),
       non_negative_parameter("start_noise", "1", 1e-3,
                              "Deviation of noise on every start but rest and tip_moved, in h."),
       choice_parameter("held", "root", {"none", "root", "both", "all_but_independent"},
                        "Fixed vertices: the low end, both ends, or all but some that share no element."),
       vector_parameter("gravity_m_s2", "m/s^2", {0, 0, 0}, "Acceleration of gravity."),
       real_parameter("spin_rad_s", "rad/s", 0.0, "Initial angular velocity about z."),
       seed_parameter("Seed of jitter, numbering, noise and random contrast."),
       bounded_parameter()},
      build_problem};
}

}  // namespace deformbench::scenes
