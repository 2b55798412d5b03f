// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/cs533d_cloth_lecture/scenes/programme.hpp"

#include "methods/model/error.hpp"

namespace deformbench::scenes {

ParameterSpec programme_parameters(ParameterSpec own) {
  own.push_back({"programme_times_s", "s", std::vector<double>{0.0, 1.0}, "Knots of the programme, rising."});
  own.push_back({"programme_values", "1", std::vector<double>{0.0, 0.1}, "Its values there, linear between."});
  return own;
}

model::Ramp programme_of(const Parameters& p) {
  const std::vector<double>&times = p.list("programme_times_s"), &values = p.list("programme_values");
  if (times.size() != values.size() || times.empty())
    throw InputError("programme_times_s and programme_values: expected as many times as values");
  model::Ramp ramp;
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (k > 0 && !(times[k] > times[k - 1])) throw InputError("programme_times_s: expected rising times");
    ramp.table.push_back({times[k], values[k]});
  }
  ramp.start = times.front();
  ramp.end = times.back();
  return ramp;
}

ParameterInfo spread_parameter(std::string doc) {
  ParameterInfo spread = non_negative_parameter("spread", "1", 0.0, std::move(doc));
  spread.maximum = 1.0;
  spread.maximum_is_exclusive = true;
  return spread;
}

}  // namespace deformbench::scenes
