// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <set>

using namespace deformbench::references;
using testing::HasSubstr;

namespace {

std::string message_of(const Reference& reference, const Values& values) {
  try {
    reference.evaluate(values);
  } catch (const ReferenceError& error) {
    return error.what();
  }
  return "";
}

double value_of(const std::vector<NamedValue>& values, const std::string& name) {
  for (const NamedValue& v : values) {
    if (v.name == name) return v.value;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

TEST(ReferenceRegistry, EveryReferenceIsDocumentedAndEvaluatesAtItsDefaults) {
  ASSERT_GE(all().size(), 25u);
  std::set<std::string> ids;
  for (const Reference& r : all()) {
    EXPECT_TRUE(ids.insert(r.id).second) << r.id;
    EXPECT_TRUE(std::regex_match(r.id, std::regex("[a-z][a-z0-9_]*"))) << r.id;
    EXPECT_FALSE(r.summary.empty() || r.citation.empty() || r.validity.empty() || r.outputs.empty()) << r.id;
    EXPECT_GT(r.uncertainty, 0) << r.id;
    EXPECT_EQ(r.validity_violation({}), "") << r.id;
    for (const NamedValue& v : r.evaluate({})) EXPECT_TRUE(std::isfinite(v.value)) << r.id << " " << v.name;
    for (const Parameter& p : r.parameters) EXPECT_FALSE(p.unit.empty() || p.doc.empty()) << r.id << " " << p.name;
    for (const Output& o : r.outputs) EXPECT_FALSE(o.unit.empty() || o.doc.empty()) << r.id << " " << o.name;
  }
}

TEST(ReferenceRegistry, AbscissaIsOneOfTheParameters) {
  for (const Reference& r : all()) {
    if (r.abscissa.empty()) continue;
    EXPECT_EQ(r.complete({}).count(r.abscissa), 1u) << r.id;
  }
}

TEST(ReferenceRegistry, EvaluatesByNameWithSetParameters) {
  EXPECT_NEAR(value_of(find("volume_of_rotated_linear_fem").evaluate({{"angle_deg", 60}}), "volume_ratio"), 1.75,
              1e-12);
  EXPECT_NEAR(value_of(find("uniaxial_st_venant_kirchhoff").evaluate({{"stretch", 1.2}}), "nominal_stress_pa"), 26400,
              1e-8);
  EXPECT_NEAR(value_of(find("cantilever_frequency").evaluate({}), "euler_bernoulli_frequency_hz"), 0.16154, 5e-6);
  EXPECT_NEAR(value_of(find("torsion_of_rectangular_bar").evaluate({}), "frequency_hz"), 1.408, 5e-4);
  EXPECT_NEAR(value_of(find("free_fall").evaluate({{"time_s", 0.3}}), "displacement_m"), -9.81 * 1e-4 * 30 * 31 / 2,
              1e-12);
  EXPECT_NEAR(value_of(find("implicit_euler_oscillator").evaluate({}), "energy_ratio"), 0.674349, 5e-7);
  EXPECT_NEAR(value_of(find("bar_impact").evaluate({}), "contact_time_s"), 0.2, 1e-12);
}

TEST(ReferenceRegistry, UnknownReferenceNamesTheKnownOnes) {
  try {
    find("free_lunch");
    FAIL();
  } catch (const ReferenceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no reference 'free_lunch'"));
    EXPECT_THAT(error.what(), HasSubstr("free_fall"));
  }
}

TEST(ReferenceRegistry, RefusesUnknownNonFiniteAndOutOfRangeParameters) {
  const Reference& bar = find("hanging_bar");
  EXPECT_THAT(message_of(bar, {{"lenght_m", 1}}), HasSubstr("no parameter 'lenght_m', expected one of: length_m"));
  EXPECT_THAT(message_of(bar, {{"length_m", std::nan("")}}), HasSubstr("got nan, expected a number in (0, inf)"));
  EXPECT_THAT(message_of(bar, {{"young_modulus_pa", 0}}), HasSubstr("'young_modulus_pa': got 0"));
  EXPECT_THAT(message_of(bar, {{"poisson_ratio", 0.5}}), HasSubstr("expected a number in (-1, 0.5)"));
  EXPECT_THAT(message_of(find("cantilever_frequency"), {{"mode", 1.5}}), HasSubstr("an integer in [1, 12]"));
  EXPECT_THAT(message_of(find("elastica_tip_load"), {{"load_parameter", 200}}), HasSubstr("got 200"));
}

TEST(ReferenceRegistry, RefusesInputsOutsideTheValidityUnlessTheyAreAllowed) {
  struct Case {
    const char* id;
    Values values;
    const char* why;
  };
  const Case cases[] = {
      {"uniaxial_st_venant_kirchhoff", {{"stretch", 0.5}}, "unstable"},
      {"uniaxial_linear", {{"stretch", 4.5}}, "lateral stretch"},
      {"free_spin_of_warped_fem", {{"time_step_s", 0.1}}, "omega dt = 0.5"},
      {"centrifugal_strain", {{"angular_velocity_rad_s", 50}}, "strain 0.125"},
      {"condition_number_bound", {{"largest_mass_kg", 0.5}}, "below the smallest"},
      {"axial_bar", {{"force_n", 100}}, "strain 0.1"},
      {"hanging_bar", {{"length_m", 2}}, "strain at the root"},
      {"cantilever_tip_load", {{"force_n", 1}}, "deflection over length"},
      {"cantilever_tip_load", {{"side_m", 0.3}}, "length over side"},
      {"cantilever_self_weight", {{"young_modulus_pa", 1e5}}, "deflection over length"},
      {"free_beam_frequency", {{"side_m", 0.2}, {"mode", 12}}, "cutoff"},
      {"torsion_of_rectangular_bar", {{"torque_n_m", 1}}, "twist per side"},
      {"torsion_shortening", {{"side_m", 0.5}}, "twist per side"},
      {"free_fall", {{"time_s", 0.015}}, "expected a whole number"},
      {"implicit_euler_oscillator", {{"time_step_s", 0.3}}, "expected a whole number"},
      {"symplectic_euler_oscillator", {{"time_step_s", 0.5}}, "omega dt = 3.14"},
      {"step_load_on_bar", {{"stress_pa", 1e4}}, "largest strain 0.2"},
      {"bar_impact", {{"speed_m_s", 2}}, "strain v / c"},
      {"lumped_bar_frequency", {{"mode", 21}}, "mode above"},
      {"held_strain_creep", {{"creep_1_s", 150}}, "c dt = 1.5"},
      {"held_strain_creep", {{"time_s", 0.015}}, "expected a whole number"},
      {"constant_load_creep", {{"elastic_strain", 0.005}}, "does not exceed the yield"},
      {"creeping_bar", {{"plastic_sign", 0}}, "expected 1 or -1"},
      {"spin_stress", {{"angular_velocity_rad_s", 100}}, "omega dt = 1.0"},
  };
  for (const Case& c : cases) {
    const Reference& r = find(c.id);
    EXPECT_THAT(r.validity_violation(c.values), HasSubstr(c.why)) << c.id;
    EXPECT_THAT(message_of(r, c.values), HasSubstr("is not valid here")) << c.id;
  }
  EXPECT_NO_THROW(find("cantilever_tip_load").evaluate({{"force_n", 1}}, Outside::Allow));
}
