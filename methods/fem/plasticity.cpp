// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/plasticity.hpp"

#include <cmath>

namespace deformbench::fem {

double strain_norm(const Vector6& strain, StrainNorm norm) {
  const double shear_weight = norm == StrainNorm::Engineering ? 4.0 : 2.0;
  return std::sqrt(strain.head<3>().squaredNorm() + shear_weight * strain.tail<3>().squaredNorm());
}

double flow_fraction(CreepRate rate, double creep, double time_step) {
  switch (rate) {
    case CreepRate::Exponential:
      return -std::expm1(-creep * time_step);
    case CreepRate::AsPrinted:
      return creep * time_step;
    case CreepRate::RadialReturn:
      break;
  }
  return 1.0;
}

Vector6 flow(const PlasticLaw& law, const PlasticParameters& parameters, double time_step, const Vector6& total_strain,
             const Vector6& plastic_strain) {
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
