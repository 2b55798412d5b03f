// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/crack_setup.hpp"

#include <cmath>

#include "methods/model/error.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kUnlimited = 1e300;  // parameters are finite; larger values have no effect

ParameterInfo real(const char* name, const char* unit, double value, std::optional<double> minimum, const char* doc) {
  return {.name = name, .unit = unit, .default_value = value, .doc = doc, .minimum = minimum};
}
ParameterInfo integer(const char* name, long long value, double maximum, const char* doc) {
  return {.name = name, .unit = "1", .default_value = value, .doc = doc, .minimum = 0.0, .maximum = maximum};
}
/// Units of lists are in the name or in the text.
ParameterInfo list(const char* name, std::vector<double> value, const char* doc, bool is_fixed) {
  ParameterInfo info{.name = name, .unit = "", .default_value = value, .doc = doc};
  if (is_fixed) info.length = value.size();
  return info;
}
ParameterInfo choice(const char* name, std::vector<std::string> choices, const char* doc) {
  const std::string first = choices.front();
  return {.name = name, .unit = "", .default_value = first, .doc = doc, .choices = std::move(choices)};
}
ParameterInfo flag(const char* name, bool value, const char* doc) {
  return {.name = name, .unit = "", .default_value = value, .doc = doc};
}

Vector3 vector_at(const std::vector<double>& values, std::size_t at) {
  return {values[at], values[at + 1], values[at + 2]};
}
Vector3 unit_at(const Parameters& parameters, const char* name) {
  const Vector3 v = vector_at(parameters.list(name), 0);
  return v.norm() > 0.0 ? Vector3(v.normalized()) : Vector3::UnitX();
}
/// Start indices of rows of `width` numbers.
std::vector<std::size_t> rows(const Parameters& parameters, const char* name, std::size_t width) {
  const std::size_t size = parameters.list(name).size();
  if (size % width != 0)
    throw InputError("parameter '" + std::string(name) + "' of meshless: got " + std::to_string(size) +
                     " numbers, expected a multiple of " + std::to_string(width));
  std::vector<std::size_t> starts;
  for (std::size_t k = 0; k < size; k += width) starts.push_back(k);
  return starts;
}

}  // namespace

void add_crack_parameters(ParameterSpec& spec) {
  const CrackSetup defaults;
  const CrackOptions& options = defaults.options;
  const ParameterSpec own{
      choice("crack_stress", {"none", "given", "wandering", "nodes", "nearest_node"},
             "What drives cracks: no cracks; a given stress; a random smooth one; that of the nodes, averaged with "
             "their weights, [PKAGDG05] §3.2; that of the nearest node alone"),
      list("crack_stress_pa", {0, 0, 0, 0, 0, 0}, "Given stress xx, yy, zz, xy, yz, zx", true),
      list("crack_turn_axis", {0, 0, 1}, "Axis that the given stress is turned about", true),
      list("crack_turn_rad_m", {0, 0, 0}, "Its angle per metre along x, y, z", true),
      real("crack_half_angle_rad", "rad", 0.0, {},
           "Its angle where x·crack_halves > 0, and the negative of it where not"),
      list("crack_halves", {1, 0, 0}, "Direction that tells the halves apart", true),
      real("crack_switch_angle_rad", "rad", 0.0, {}, "Added to the angle from crack_switch_time_s on"),
      real("crack_switch_time_s", "s", kUnlimited, 0.0, "When"),
      real("crack_wandering_pa", "Pa", defaults.wandering_tension, 0.0, "Tension of the random field"),
      real("crack_wandering_length_m", "m", defaults.wandering_length, 1e-9, "Length over which it turns"),
      real("crack_surfel_radius_m", "m", options.surfel_radius, 1e-9, "Radius r of the surfels of fracture surfaces"),
      real("crack_speed_m_s_pa", "m/(s Pa)", options.speed, 0.0,
           "α of d = αλ (v × t), [PKAGDG05] §3.2: speed of a front over the largest principal stress"),
      {.name = "crack_history",
       .unit = "1",
       .default_value = options.history,
       .doc = "γ of the propagation history, [PKAGDG05] §5: 0 follows the stress, 1 keeps the direction",
       .minimum = 0.0,
       .maximum = 1.0},
      choice("crack_history_rule", {"averaged", "as_printed"},
             "Past term of the history: the averaged vector of the step before; or its plain one, [PKAGDG05] §5"),
      flag("crack_snapping", options.snapping, "Snapping, [PKAGDG05] §3.3"),
      real("crack_snapping_ratio", "1", options.snapping_ratio, 1e-6, "Snapping distance d over r"),
      choice("crack_contact", {"near", "intersections"},
             "Fronts meet also where they run towards each other within d; or only where one goes through the other, "
             "[PKAGDG05] §3.3"),
      real("crack_largest_advance", "1", options.largest_advance, 0.0,
           "Longest way of a front over r in one go: longer steps are taken in parts; 0: never"),
      real("crack_initial_radius", "1", options.initial_radius, 1e-3, "Radius over r of the triangle of a new crack"),
      real("crack_threshold_pa", "Pa", kUnlimited, 0.0, "Largest principal stress that starts a crack"),
      real("crack_front_threshold_pa", "Pa", 0.0, 0.0, "Largest principal stress below which a front stands still"),
      list("crack_pennies", {},
           "Closed fronts at the start: centre, normal, radius (m), nodes; eight numbers each. With a negative radius "
           "what is cut is a ring outside of it",
           false),
      list("crack_notches", {},
           "Straight fronts at the start: both ends on the surface, and the way from the front "
           "to where the cut comes from; nine numbers each",
           false),
      real("crack_start_jitter_m", "m", 0.0, 0.0, "Largest random displacement of each of these, along each axis"),
      integer("crack_random_starts", 0, 1000,
              "Cracks that start at random places, half of them on the surface, across "
              "the stress there"),
      integer("crack_interior_samples", 0, 1e6, "Random points of the interior where cracks may start"),
      integer("crack_surface_samples", 0, 1e6, "Random points of the surface where cracks may start"),
      flag("crack_nodes_start", defaults.nodes_initiate, "Whether cracks may start at nodes"),
      real("crack_raised_factor", "1", defaults.raised_factor, 1.0,
           "Factor on the thresholds of samples and nodes near a new crack, [PKAGDG05] §3.2"),
      real("crack_raised_radius_m", "m", defaults.raised_radius, 0.0, "How near"),
      integer("crack_most_starts", defaults.most_starts, 1e6, "New cracks in one time step, the most loaded first"),
      list("crack_painted", {},
           "Lines painted on the surface: both ends (m) and their threshold (Pa); seven numbers "
           "each, [PKAGDG05] §5",
           false),
      list("crack_hard_box_m", {0, 0, 0, 0, 0, 0},
           "Box that no crack enters, lower and upper corner: a volumetric texture of thresholds, [PKAGDG05] §5", true),
  };
  spec.insert(spec.end(), own.begin(), own.end());
}

CrackSetup crack_setup(const Parameters& parameters) {
  CrackSetup setup;
  const std::string& stress = parameters.text("crack_stress");
  setup.stress = stress == "given"          ? CrackStress::Given
                 : stress == "wandering"    ? CrackStress::Wandering
                 : stress == "nodes"        ? CrackStress::Nodes
                 : stress == "nearest_node" ? CrackStress::Nearest
                                            : CrackStress::None;
  const auto& s = parameters.list("crack_stress_pa");
  setup.given.stress << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  setup.given.axis = unit_at(parameters, "crack_turn_axis");
  setup.given.gradient = vector_at(parameters.list("crack_turn_rad_m"), 0);
  setup.given.half_angle = parameters.real("crack_half_angle_rad");
  setup.given.halves = vector_at(parameters.list("crack_halves"), 0);
  setup.given.switch_angle = parameters.real("crack_switch_angle_rad");
  setup.given.switch_time = parameters.real("crack_switch_time_s");
  setup.wandering_tension = parameters.real("crack_wandering_pa");
  setup.wandering_length = parameters.real("crack_wandering_length_m");
  CrackOptions& options = setup.options;
  options.surfel_radius = parameters.real("crack_surfel_radius_m");
  options.speed = parameters.real("crack_speed_m_s_pa");
  options.history = parameters.real("crack_history");
  options.history_rule =
      parameters.text("crack_history_rule") == "averaged" ? HistoryRule::Averaged : HistoryRule::AsPrinted;
  options.snapping = parameters.flag("crack_snapping");
  options.snapping_ratio = parameters.real("crack_snapping_ratio");
  options.contact = parameters.text("crack_contact") == "near" ? FrontContact::Near : FrontContact::Intersections;
  options.largest_advance = parameters.real("crack_largest_advance");
  options.initial_radius = parameters.real("crack_initial_radius");
  setup.threshold = parameters.real("crack_threshold_pa");
  setup.front_threshold = parameters.real("crack_front_threshold_pa");
  const auto& pennies = parameters.list("crack_pennies");
  for (const std::size_t k : rows(parameters, "crack_pennies", 8))
    setup.pennies.push_back({vector_at(pennies, k), vector_at(pennies, k + 3), pennies[k + 6],
                             std::max(3, int(std::lround(pennies[k + 7])))});
  const auto& notches = parameters.list("crack_notches");
  for (const std::size_t k : rows(parameters, "crack_notches", 9))
    setup.notches.push_back({vector_at(notches, k), vector_at(notches, k + 3), vector_at(notches, k + 6)});
  setup.start_jitter = parameters.real("crack_start_jitter_m");
  setup.random_cracks = int(parameters.integer("crack_random_starts"));
  setup.interior_samples = int(parameters.integer("crack_interior_samples"));
  setup.surface_samples = int(parameters.integer("crack_surface_samples"));
  setup.nodes_initiate = parameters.flag("crack_nodes_start");
  setup.raised_factor = parameters.real("crack_raised_factor");
  setup.raised_radius = parameters.real("crack_raised_radius_m");
  setup.most_starts = int(parameters.integer("crack_most_starts"));
  const auto& painted = parameters.list("crack_painted");
  for (const std::size_t k : rows(parameters, "crack_painted", 7))
    setup.painted.push_back({vector_at(painted, k), vector_at(painted, k + 3), painted[k + 6]});
  const auto& box = parameters.list("crack_hard_box_m");
  setup.hard_low = vector_at(box, 0);
  setup.hard_high = vector_at(box, 3);
  return setup;
}

}  // namespace deformbench::meshless
