// SPDX-License-Identifier: BSD-3-Clause
// Output arrays of the cloth beyond its state; README.md lists them.
#include "methods/cloth/cloth_simulation.hpp"

namespace deformbench::cloth {

std::vector<std::string> ClothSimulation::array_names() const {
  std::vector<std::string> names{"damping_forces", "hinge_vertices",   "hinge_sines",      "hinge_slopes",
                                 "hinge_energies", "stiffness_places", "stiffness_entries"};
  for (std::string& name : collision::CollisionTotals::array_names()) names.push_back(std::move(name));
  return names;
}

MethodArray ClothSimulation::array(const std::string& name) const {
  const auto n = std::size_t(positions_.rows()), hinge_count = forces_.hinges().size();
  if (name == "damping_forces") {
    MethodArray array{name, "N", "force", "Damping force on every vertex, without mass damping.", {n, 3}};
    Points forces = Points::Zero(positions_.rows(), 3);
    forces_.add_damping(positions_, velocities_, forces);
    array.reals.assign(forces.data(), forces.data() + forces.size());
    return array;
  }
  if (name == "hinge_vertices") {
    MethodArray array{name, "1", "index", "Ends of the edge, then the corners beside it.", {hinge_count, 4}};
    array.is_integer = true;
    for (const Hinge& hinge : forces_.hinges())
      array.integers.insert(array.integers.end(), hinge.vertices.begin(), hinge.vertices.end());
    return array;
  }
  if (name == "hinge_sines") {
    MethodArray array{name, "1", "sine", "sin(θ/2) of every hinge as its force has it.", {hinge_count}};
    for (const Hinge& hinge : forces_.hinges())
      array.reals.push_back(
          half_angle(corners_of(hinge.vertices, positions_), hinge.options.sine, hinge.options.precision).sine);
    return array;
  }
  if (name == "hinge_slopes") {
    MethodArray array{
        name, "rad/m", "slope", "Slopes of the angle of every hinge by its vertices.", {hinge_count, 4, 3}};
    for (const Hinge& hinge : forces_.hinges()) {
      const CornerVector<4> slope = angle_gradient(corners_of(hinge.vertices, positions_), hinge.options.gradient);
      array.reals.insert(array.reals.end(), slope.data(), slope.data() + 12);
    }
    return array;
  }
  if (name == "hinge_energies") {
    MethodArray array{name, "J", "energy", "Energy of every hinge.", {hinge_count}};
    for (const Hinge& hinge : forces_.hinges())
      array.reals.push_back(hinge.energy(corners_of(hinge.vertices, positions_)));
    return array;
  }
  if (name != "stiffness_places" && name != "stiffness_entries") return collision_totals_.array(name);
  const Sparse matrix = forces_.stiffness_matrix(positions_, StiffnessKind::Exact);
  const auto count = std::size_t(matrix.nonZeros());
  const bool is_places = name == "stiffness_places";
  MethodArray array =
      is_places ? MethodArray{name, "1", "index", "Row and column of every entry of −∂f/∂x.", {count, 2}}
                : MethodArray{name, "N/m", "stiffness", "Entries of −∂f/∂x; coordinate 3·vertex + axis.", {count}};
  array.is_integer = is_places;
  for (Eigen::Index column = 0; column < matrix.outerSize(); ++column)
    for (Sparse::InnerIterator entry(matrix, column); entry; ++entry) {
      if (is_places)
        array.integers.insert(array.integers.end(), {int(entry.row()), int(column)});
      else
        array.reals.push_back(entry.value());
    }
  return array;
}

}  // namespace deformbench::cloth
