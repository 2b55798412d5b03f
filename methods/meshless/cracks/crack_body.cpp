// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/crack_body.hpp"

#include <limits>

namespace deformbench::meshless {

double CrackBody::distance(int sheet, const Vector3& x) const {
  return this->sheet(sheet).signed_distance(x).value_or(-std::numeric_limits<double>::max());
}

int CrackBody::outside(const Vector3& x, int but) const {
  int worst = -1;
  double farthest = 0.0;
  for (int s = 0; s < sheet_count(); ++s) {
    if (s == but) continue;
    const double d = distance(s, x);
    if (d > farthest) {
      farthest = d;
      worst = s;
    }
  }
  return worst;
}

double CrackBody::depth(const Vector3& x) const {
  double deepest = -std::numeric_limits<double>::max();
  for (int s = 0; s < sheet_count(); ++s) deepest = std::max(deepest, distance(s, x));
  return deepest;
}

CrackBody::Exit CrackBody::exit(const Vector3& inside, const Vector3& outside, int but) const {
  double low = 0.0, high = 1.0;
  int sheet = this->outside(outside, but);
  for (int halving = 0; halving < 44; ++halving) {
    const double middle = 0.5 * (low + high);
    const int found = this->outside(inside + middle * (outside - inside), but);
    if (found < 0) {
      low = middle;
    } else {
      high = middle;
      sheet = found;
    }
  }
  return {inside + low * (outside - inside), sheet};
}

}  // namespace deformbench::meshless
