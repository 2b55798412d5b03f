// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/procedural/stand_in_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "methods/model/error.hpp"
#include "methods/surface/procedural/animals.hpp"
#include "methods/surface/procedural/isosurface.hpp"
#include "methods/surface/procedural/remesh.hpp"

namespace deformbench::surface {
namespace {

struct Recipe {
  const char* name;
  int triangle_count;  // [MG04] Table 1
  double spacing;      // m, lattice of the first attempt at that count
  double surplus;      // marched triangles per kept one: more for thin parts
  Body (*body)();
};

constexpr Recipe kRecipes[] = {
    {"snake", 22000, 0.0085, 1.6, snake_body},
    {"quadruped", 5800, 0.028, 4.0, quadruped_body},
    {"dragon", 10000, 0.024, 4.0, dragon_body},
};

}  // namespace

int StandIn::part(const std::string& part_name) const {
  const auto found = std::find(part_names.begin(), part_names.end(), part_name);
  if (found == part_names.end()) {
    throw InputError(
        fmt::format("{}: has no part '{}', expected one of {}", name, part_name, fmt::join(part_names, ", ")));
  }
  return int(found - part_names.begin());
}

std::vector<int> StandIn::vertices_of(const std::string& part_name) const {
  const int wanted = part(part_name);
  std::vector<int> vertices;
  for (std::size_t v = 0; v < part_of_vertex.size(); ++v) {
    if (part_of_vertex[v] == wanted) vertices.push_back(int(v));
  }
  return vertices;
}

Vector3 StandIn::joint(const std::string& first, const std::string& second) const {
  const int a = part(first);
  const int b = part(second);
  Vector3 sum = Vector3::Zero();
  int count = 0;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    for (Eigen::Index c = 0; c < 3; ++c) {  // every edge once, in the direction first → second
      const int v = mesh.triangles(t, c);
      const int w = mesh.triangles(t, (c + 1) % 3);
      if (part_of_vertex[std::size_t(v)] != a || part_of_vertex[std::size_t(w)] != b) continue;
      sum += 0.5 * (mesh.positions.row(v) + mesh.positions.row(w)).transpose();
      ++count;
    }
  }
  if (count == 0) throw InputError(fmt::format("{}: parts '{}' and '{}' do not meet", name, first, second));
  return sum / count;
}

const std::vector<std::string>& stand_in_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Recipe& recipe : kRecipes) all.emplace_back(recipe.name);
    return all;
  }();
  return names;
}

StandIn make_stand_in(const std::string& name, int triangle_count) {
  const auto recipe =
      std::find_if(std::begin(kRecipes), std::end(kRecipes), [&](const Recipe& r) { return name == r.name; });
  if (recipe == std::end(kRecipes)) {
    throw InputError(
        fmt::format("stand-in model: got '{}', expected one of {}", name, fmt::join(stand_in_names(), ", ")));
  }
  const int wanted = triangle_count == 0 ? recipe->triangle_count : triangle_count;
  if (wanted < 1000)
    throw InputError(fmt::format("stand-in model {}: got {} triangles, expected at least 1000", name, wanted));
  const Body body = recipe->body();
  double spacing = recipe->spacing * std::sqrt(double(recipe->triangle_count) / wanted);
  model::TriangleMesh marched = march(body, spacing);
  for (int attempt = 0; attempt < 8; ++attempt) {
    const double surplus = double(marched.triangle_count()) / wanted;
    if (surplus >= 0.8 * recipe->surplus && surplus <= 1.25 * recipe->surplus) break;
    spacing *= std::sqrt(std::max(surplus, 0.05) / recipe->surplus);
    marched = march(body, spacing);
  }
  StandIn model{name, remesh(marched, body, wanted), body.part_names(), {}};
  if (!untangle(model.mesh, 20)) {
    throw InputError(
        fmt::format("stand-in model {}: {} triangles are too few for its thin parts, expected about {} or more", name,
                    wanted, recipe->triangle_count));
  }
  for (Eigen::Index v = 0; v < model.mesh.vertex_count(); ++v) {
    model.part_of_vertex.push_back(body.part_at(model.mesh.positions.row(v).transpose()));
  }
  return model;
}

std::vector<int> parts_at(const StandIn& model, const Eigen::Ref<const Points>& points) {
  std::vector<int> parts;
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    Eigen::Index nearest = 0;
    (model.mesh.positions.rowwise() - points.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
    parts.push_back(model.part_of_vertex[std::size_t(nearest)]);
  }
  return parts;
}

}  // namespace deformbench::surface
