// SPDX-License-Identifier: BSD-3-Clause
// The flow rule that the simulation runs, for a few elements or a single one, and the same rule as a textbook writes
// it, an oracle that shares no line with it. For .cpp files only (lanes.hpp).
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "methods/fem/elasticity/batched_plasticity.hpp"

namespace deformbench::fem {

/// What one lane is given.
template <class T>
struct Element {
  std::array<T, 6> strain{}, plastic{};
  T yield = T(0), fraction = T(1), max = T(10);
};

/// batched_flow on lane_count<T> elements: their new plastic strains.
template <class T>
std::vector<std::array<T, 6>> flowed(const PlasticLaw& law, const std::vector<Element<T>>& elements) {
  constexpr int lanes = numerics::lane_count<T>;
  using P = numerics::Batch<T>;
  T numbers[15][lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Element<T>& e = elements[lane];
    for (std::size_t k = 0; k < 6; ++k) numbers[k][lane] = e.strain[k], numbers[6 + k][lane] = e.plastic[k];
    numbers[12][lane] = e.yield, numbers[13][lane] = e.fraction, numbers[14][lane] = e.max;
  }
  P strain[6], plastic[6];
  for (int k = 0; k < 6; ++k) strain[k] = P::from(numbers[k]), plastic[k] = P::from(numbers[6 + k]);
  batched_flow<T>(law, P::from(numbers[12]), P::from(numbers[13]), P::from(numbers[14]), strain, plastic);
  std::vector<std::array<T, 6>> result(lanes);
  for (int k = 0; k < 6; ++k) {
    plastic[k].to(numbers[k]);
    for (std::size_t lane = 0; lane < lanes; ++lane) result[lane][std::size_t(k)] = numbers[k][lane];
  }
  return result;
}

/// ε_p of one element after one step at the total strain given, by batched_flow.
inline Vector6 flow(const PlasticLaw& law, const PlasticParameters& parameters, double time_step,
                    const Vector6& total_strain, const Vector6& plastic_strain) {
  Element<double> element;
  for (int k = 0; k < 6; ++k) element.strain[std::size_t(k)] = total_strain[k];
  for (int k = 0; k < 6; ++k) element.plastic[std::size_t(k)] = plastic_strain[k];
  element.yield = parameters.yield;
  element.fraction = flow_fraction(law.rate, parameters.creep, time_step);
  element.max = parameters.max;
  const auto all_alike = flowed<double>(law, std::vector<Element<double>>(numerics::lane_count<double>, element));
  return Eigen::Map<const Vector6>(all_alike.front().data());
}

inline double strain_norm(const Vector6& strain, StrainNorm norm) {
  const double shear_weight = norm == StrainNorm::Engineering ? 4.0 : 2.0;
  return std::sqrt(strain.head<3>().squaredNorm() + shear_weight * strain.tail<3>().squaredNorm());
}

/// The oracle of `flow`. [MG04] §3
inline Vector6 textbook_flow(const PlasticLaw& law, const PlasticParameters& parameters, double time_step,
                             const Vector6& total_strain, const Vector6& plastic_strain) {
  Vector6 flowing = total_strain - plastic_strain;
  if (law.measure == YieldMeasure::Deviatoric) flowing.head<3>().array() -= flowing.head<3>().sum() / 3.0;
  Vector6 result = plastic_strain;
  const double norm = strain_norm(flowing, law.norm);
  if (norm > parameters.yield) {
    double fraction = flow_fraction(law.rate, parameters.creep, time_step);
    if (law.rate == CreepRate::RadialReturn) fraction = 1.0 - parameters.yield / norm;
    result += fraction * flowing;
  }
  const double stored = strain_norm(result, law.norm);
  if (stored > parameters.max) result *= parameters.max / stored;
  return result;
}

}  // namespace deformbench::fem
