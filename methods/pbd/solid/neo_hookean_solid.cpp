// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/solid/neo_hookean_solid.hpp"

#include <Eigen/LU>
#include <utility>

#include "methods/pbd/sweeps/schedule.hpp"

namespace deformbench::pbd {
namespace {

/// Separates this random stream from the others of a run.
constexpr std::uint64_t kSolidOrderStream = 0x736f6c69;

/// Gradients of the four shape functions (1/m); those of corners 1 to 3 are the rows of the inverse edge matrix.
std::array<Vector3, 4> shape_gradients(const model::TetMesh& mesh, Eigen::Index element) {
  Matrix3 edges;
  const Vector3 origin = mesh.rest_positions.row(mesh.tetrahedra(element, 0));
  for (int k = 0; k < 3; ++k)
    edges.col(k) = mesh.rest_positions.row(mesh.tetrahedra(element, k + 1)).transpose() - origin;
  const Matrix3 inverse = edges.inverse();
  const Vector3 b = inverse.row(0), c = inverse.row(1), d = inverse.row(2);
  return {-(b + c + d), b, c, d};
}

}  // namespace

std::string neo_hookean_refusal(const PbdOptions& options) {
  if (options.precision == Precision::Single) return "precision: got float, expected double for neo-Hookean tetrahedra";
  if (options.gradients_at == GradientsAt::Start)
    return "gradients_at: got start, expected predicted for neo-Hookean tetrahedra";
  if (options.resets_multipliers && options.solid_solve == SolidSolve::Newton)
    return "multipliers: got reset, expected kept where solid_solve is newton";
  if (options.warm_start && options.solid_solve != SolidSolve::Newton)
    return "warm_start: got true, expected false unless solid_solve is newton";
  return {};
}

NeoHookeanSolid::NeoHookeanSolid(const Scene& scene, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                                 const RunContext& context)
    : options_(options), random_(context.seed, kSolidOrderStream) {
  const model::TetMesh& mesh = scene.tet_mesh;
  std::vector<int> vertices;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    Element element{};
    element.slopes = shape_gradients(mesh, e);
    element.volume = model::tetrahedron_volume(mesh, mesh.rest_positions, e);
    element.material = NeoHookean::of(scene.material_of(e));
    Matrix3 g = Matrix3::Zero();
    for (std::size_t a = 0; a < 4; ++a) {
      element.vertices[a] = mesh.tetrahedra(e, Eigen::Index(a));
      element.inverse_masses[a] = inverse_masses[element.vertices[a]];
      g += element.inverse_masses[a] * element.slopes[a] * element.slopes[a].transpose();
    }
    element.mobility = local_mobility(g);
    element.applied.setZero();
    if (g.trace() > 0.0) {
      order_.push_back(elements_.size());
      vertices.insert(vertices.end(), element.vertices.begin(), element.vertices.end());
    }
    elements_.push_back(element);
  }
  if (has_solid_lanes(options)) {
    std::vector<SolidTetrahedron> movable;
    for (const std::size_t index : order_) movable.push_back(elements_[index]);
    lanes_ = make_solid_lanes(movable, inverse_masses, options, context.threads);
  }
  if (options.order != SweepOrder::Coloured) return;
  const Schedule colours = colour_schedule({vertices, 4, int(inverse_masses.size())}, 1);
  std::vector<std::size_t> order;
  for (const int c : colours.constraints) order.push_back(order_[std::size_t(c)]);
  order_ = std::move(order);
}

void NeoHookeanSolid::begin_step(double time_step, Points& positions) {
  if (lanes_) {
    lanes_->begin_step(time_step, positions);
    return;
  }
  time_step_ = time_step;
  for (Element& element : elements_) {
    element.multipliers = {};
    if (options_.warm_start)
      move(element, element.applied, positions);
    else
      element.applied.setZero();
  }
}

/// Held vertices are unchanged bit for bit.
void NeoHookeanSolid::move(const Element& element, const Matrix3& change, Points& positions) {
  for (std::size_t a = 0; a < 4; ++a)
    if (element.inverse_masses[a] > 0.0)
      positions.row(element.vertices[a]) += element.inverse_masses[a] * (change * element.slopes[a]).transpose();
}

Matrix3 NeoHookeanSolid::deformation_gradient(const Element& element, const Eigen::Ref<const Points>& positions) const {
  const Vector3 origin = positions.row(element.vertices[0]);
  Matrix3 f = Matrix3::Zero();
  for (std::size_t a = 1; a < 4; ++a)
    f += (positions.row(element.vertices[a]).transpose() - origin) * element.slopes[a].transpose();
  return f;
}

Matrix3 NeoHookeanSolid::change_of(Element& element, const Points& positions, Work& work) const {
  Matrix3 f = deformation_gradient(element, positions);
  const LocalLaw law{element.material, element.volume * time_step_ * time_step_};
  switch (options_.solid_solve) {
    case SolidSolve::OneByOne:
      return project_one_by_one(law, element.mobility, f, element.multipliers);
    case SolidSolve::Coupled:
      return project_coupled(law, element.mobility, f, element.multipliers);
    case SolidSolve::Newton:
      break;
  }
  return newton_change(law, element.mobility, f, element.applied, work);
}

void NeoHookeanSolid::project(std::size_t index, Points& positions, Work& work) {
  Element& element = elements_[index];
  const Matrix3 change = change_of(element, positions, work);
  element.applied += change;
  move(element, change, positions);
}

void NeoHookeanSolid::sweep(Points& positions, Work& work) {
  const auto visits = std::int64_t(order_.size()) * (options_.order == SweepOrder::Symmetric ? 2 : 1);
  work.gradients += visits;
  (options_.solid_solve == SolidSolve::Newton ? work.hessians : work.local_solves) += visits;
  if (lanes_) {
    lanes_->sweep(positions, work);
    return;
  }
  if (options_.order == SweepOrder::Jacobi) {
    jacobi_sweep(positions, work);
    return;
  }
  if (options_.order == SweepOrder::Random)
    for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random_.below(k)]);
  if (options_.order != SweepOrder::Reverse)
    for (const std::size_t index : order_) project(index, positions, work);
  if (options_.order == SweepOrder::Reverse || options_.order == SweepOrder::Symmetric)
    for (auto index = order_.rbegin(); index != order_.rend(); ++index) project(*index, positions, work);
}

/// Newton corrections and multipliers are scaled by the same factor, so that both stay consistent with the positions.
void NeoHookeanSolid::jacobi_sweep(Points& positions, Work& work) {
  sums_.setZero(positions.rows(), 3);
  for (const std::size_t index : order_) {
    Element& element = elements_[index];
    const Multipliers before = element.multipliers;
    const Matrix3 change = options_.jacobi_omega * change_of(element, positions, work);
    element.applied += change;
    element.multipliers.deviatoric =
        before.deviatoric + options_.jacobi_omega * (element.multipliers.deviatoric - before.deviatoric);
    element.multipliers.hydrostatic =
        before.hydrostatic + options_.jacobi_omega * (element.multipliers.hydrostatic - before.hydrostatic);
    move(element, change, sums_);
  }
  positions += sums_;
}

double NeoHookeanSolid::elastic_energy(const Eigen::Ref<const Points>& positions) const {
  double energy = 0.0;
  for (const Element& element : elements_)
    energy += element.volume * element.material.energy(deformation_gradient(element, positions));
  return energy;
}

Points NeoHookeanSolid::elastic_forces(const Eigen::Ref<const Points>& positions) const {
  Points forces = Points::Zero(positions.rows(), 3);
  for (const Element& element : elements_) {
    const Matrix3 stress = element.volume * element.material.piola(deformation_gradient(element, positions));
    for (std::size_t a = 0; a < 4; ++a) forces.row(element.vertices[a]) -= (stress * element.slopes[a]).transpose();
  }
  return forces;
}

std::vector<Matrix3> NeoHookeanSolid::deformation_gradients(const Eigen::Ref<const Points>& positions) const {
  std::vector<Matrix3> result;
  result.reserve(elements_.size());
  for (const Element& element : elements_) result.push_back(deformation_gradient(element, positions));
  return result;
}

}  // namespace deformbench::pbd
