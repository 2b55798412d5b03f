// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/elasticity/plasticity.hpp"

#include <cmath>

namespace deformbench::fem {

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

}  // namespace deformbench::fem
