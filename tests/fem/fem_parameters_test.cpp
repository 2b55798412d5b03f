// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/model/error.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

std::string refusal(const std::string& id, const Settings& settings) {
  try {
    make(id, tetrahedron_scene(), settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FemParameters, BadValuesAreRefusedByNameAndOwner) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal("warped_fem", {{"rotation", std::string("quaternion")}}), HasSubstr("'rotation' of warped_fem"));
  EXPECT_THAT(refusal("warped_fem", {{"cg_iterations", -1LL}}), HasSubstr("'cg_iterations' of warped_fem"));
  EXPECT_THAT(refusal("linear_fem", {{"inversion", std::string("corrected")}}), HasSubstr("inversion"));
  EXPECT_THAT(refusal("linear_fem", {{"stiffness_damping_s", -0.1}}), HasSubstr("stiffness_damping_s"));
  EXPECT_EQ(refusal("linear_fem", {{"cg_iterations", 20LL}}), "accepted");
}

TEST(FemSupport, NamesTheReasonWithoutElementsOrWithTooManyToFactorise) {
  const Registry registry = element_methods();
  const MethodDescriptor& method = registry.at("linear_fem");
  const Parameters direct(method.parameters, {{"solver", std::string("direct")}}, "linear_fem");
  const Support empty = method.supports(Scene{}, direct);
  EXPECT_FALSE(empty.supported);
  EXPECT_THAT(empty.reason, testing::HasSubstr("no tetrahedra"));
  Scene large;
  large.tet_mesh.tetrahedra.setZero(150001, 4);
  const Support refused = method.supports(large, direct);
  EXPECT_FALSE(refused.supported);
  EXPECT_THAT(refused.reason, testing::HasSubstr("150001"));
  EXPECT_TRUE(method.supports(large, Parameters(method.parameters, {}, "linear_fem")).supported);
}

}  // namespace
}  // namespace deformbench::fem
