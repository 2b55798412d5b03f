// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/benchmarks/hard_bars.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace deformbench::benchmarks {
namespace {

template <class T>
void shuffle(std::vector<T>& values, std::mt19937_64& random) {
  for (std::size_t i = values.size(); i-- > 1;) std::swap(values[i], values[random() % (i + 1)]);
}

std::vector<int> permutation(Eigen::Index count, std::mt19937_64& random) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, random);
  return order;
}

double uniform(std::mt19937_64& random) {
  return 2.0 * double(random() >> 11) * 0x1p-53 - 1.0;
}

void jitter(Points& x, double amount, std::mt19937_64& random) {
  const Vector3 low = x.colwise().minCoeff(), high = x.colwise().maxCoeff();
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const bool inside =
        ((x.row(i).transpose() - low).array() > amount).all() && ((high - x.row(i).transpose()).array() > amount).all();
    for (int d = 0; inside && d < 3; ++d) x(i, d) += amount * uniform(random);
  }
}

}  // namespace

void make_irregular(Scene& scene, double cell) {
  std::mt19937_64 random(20040517);
  model::TetMesh& mesh = scene.tet_mesh;
  jitter(mesh.rest_positions, 0.15 * cell, random);
  const std::vector<int> new_number = permutation(mesh.rest_positions.rows(), random);
  const auto renumber = [&](int& v) { v = new_number[std::size_t(v)]; };
  const Points old_positions = mesh.rest_positions;
  for (Eigen::Index i = 0; i < old_positions.rows(); ++i)
    mesh.rest_positions.row(new_number[std::size_t(i)]) = old_positions.row(i);
  const auto old_elements = mesh.tetrahedra;
  const std::vector<int> new_place = permutation(old_elements.rows(), random);
  for (Eigen::Index e = 0; e < old_elements.rows(); ++e) {
    auto row = mesh.tetrahedra.row(new_place[std::size_t(e)]);
    row = old_elements.row(e);
    for (int k = 0; k < 4; ++k) renumber(row[k]);
  }
  for (auto& motion : scene.prescribed) std::for_each(motion.vertices.begin(), motion.vertices.end(), renumber);
  for (auto& load : scene.point_loads) renumber(load.vertex);
  for (auto& [name, set] : scene.vertex_sets) std::for_each(set.begin(), set.end(), renumber);

  const model::Material soft = scene.materials.front();
  scene.materials = {soft, soft, soft, soft};
  for (std::size_t k = 1; k < 4; ++k) {
    scene.materials[k].young_modulus *= double(1u << k);
    scene.materials[k].poisson_ratio -= 0.05 * double(k);
  }
  const double length = mesh.rest_positions.col(0).maxCoeff();
  scene.element_material.clear();
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    double x = 0.0;
    for (int k = 0; k < 4; ++k) x += 0.25 * mesh.rest_positions(mesh.tetrahedra(e, k), 0);
    scene.element_material.push_back(std::min(3, int(4.0 * x / length)));
  }
}

double inverted_share(const model::TetMesh& mesh, const Eigen::Ref<const Points>& positions) {
  Eigen::Index inverted = 0;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
    inverted += model::tetrahedron_volume(mesh, positions, e) < 0.0;
  return double(inverted) / double(mesh.element_count());
}

void make_inverting(Scene& scene) {
  const double share = 0.2;
  std::mt19937_64 random(7);
  const Points& rest = scene.tet_mesh.rest_positions;
  Points direction(rest.rows(), 3);
  for (Eigen::Index i = 0; i < direction.size(); ++i) direction.data()[i] = uniform(random);
  for (const auto& motion : scene.prescribed)
    for (const int v : motion.vertices) direction.row(v).setZero();
  double low = 0.0, high = rest.cwiseAbs().maxCoeff();  // m; a displacement of the bar's size inverts a half
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (low + high);
    (inverted_share(scene.tet_mesh, rest + middle * direction) < share ? low : high) = middle;
  }
  scene.initial_velocities = low / scene.time_step * direction;
  scene.gravity.setZero();
  for (auto& material : scene.materials) material.young_modulus = 1e-3;
}

}  // namespace deformbench::benchmarks
