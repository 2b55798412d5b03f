// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/model/error.hpp"
#include "methods/parameters.hpp"

namespace deformbench::tests {

namespace {

const ParameterSpec kSpec = {
    {"damping_1_s", "1/s", 0.0, "A real.", 0.0, 10.0},
    {"density_kg_m3", "kg/m³", 1.0, "A positive real.", 0.0, {}, {}, true},
    {"iterations", "1", 20LL, "An integer.", 1.0},
    {"solver", "", std::string("cg"), "A choice.", {}, {}, {"cg", "direct"}},
    {"verbose", "", false, "A flag."},
    {"gravity_m_s2", "m/s²", std::vector<double>{0, -9.81, 0}, "A vector.", {}, {}, {}, false, false, 3},
};

std::string refusal_of(const std::map<std::string, ParameterValue>& set) {
  try {
    Parameters(kSpec, set, "method 'demo'");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(Parameters, DefaultsAreThereAndWhatIsSetReplacesThem) {
  const Parameters parameters(kSpec, {{"damping_1_s", 3LL}, {"solver", std::string("direct")}}, "demo");
  EXPECT_EQ(parameters.real("damping_1_s"), 3.0);  // an integer is accepted for a real
  EXPECT_EQ(parameters.text("solver"), "direct");
  EXPECT_EQ(parameters.integer("iterations"), 20);
  EXPECT_FALSE(parameters.flag("verbose"));
  EXPECT_EQ(parameters.list("gravity_m_s2").size(), 3u);
}

TEST(Parameters, RefusalsNameTheParameterTheOwnerTheValueAndWhatWasExpected) {
  EXPECT_EQ(refusal_of({{"damping_1_s", 11.0}}),
            "parameter 'damping_1_s' of method 'demo': got 11, expected a finite number ≥ 0 and ≤ 10");
  EXPECT_EQ(refusal_of({{"solver", std::string("lu")}}),
            "parameter 'solver' of method 'demo': got 'lu', expected one of cg, direct");
  EXPECT_EQ(refusal_of({{"iterations", 2.5}}),
            "parameter 'iterations' of method 'demo': got 2.5, expected an integer ≥ 1");
  EXPECT_THAT(refusal_of({{"itertions", 3LL}}),
              testing::HasSubstr("'itertions' of method 'demo': unknown, expected one of"));
}

TEST(Parameters, BoundsAreInclusiveUnlessSaidOtherwise) {
  EXPECT_EQ(refusal_of({{"damping_1_s", 10.0}}), "");
  EXPECT_THAT(refusal_of({{"density_kg_m3", 0.0}}), testing::HasSubstr("> 0"));
}

TEST(Parameters, NonFiniteNumbersAndWrongLengthsAreRefused) {
  EXPECT_THAT(refusal_of({{"damping_1_s", std::nan("")}}), testing::HasSubstr("finite"));
  EXPECT_THAT(refusal_of({{"gravity_m_s2", std::vector<double>{1, 2}}}), testing::HasSubstr("a list of 3 numbers"));
}

TEST(Parameters, AskingForAnUndeclaredOneIsADefectOfTheMethod) {
  const Parameters parameters(kSpec, {}, "demo");
  EXPECT_THROW(parameters.real("absent"), std::logic_error);
  EXPECT_THROW(parameters.real("iterations"), std::logic_error);
}

}  // namespace deformbench::tests
