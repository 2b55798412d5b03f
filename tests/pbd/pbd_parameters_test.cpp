// SPDX-License-Identifier: BSD-3-Clause
// Parameters reach the options, and what cannot be simulated is refused with a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "methods/model/error.hpp"
#include "methods/model/structured.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

using ::testing::HasSubstr;

std::set<std::string> names(bool is_compliant) {
  std::set<std::string> result;
  for (const ParameterInfo& info : pbd_parameters(is_compliant)) {
    EXPECT_FALSE(info.doc.empty()) << info.name;
    EXPECT_TRUE(result.insert(info.name).second) << info.name;
  }
  return result;
}

TEST(PbdParameters, DefaultsAreThoseOfTheOptions) {
  const PbdOptions declared = options_of("pbd"), plain;
  EXPECT_EQ(declared.iterations, plain.iterations);
  EXPECT_EQ(declared.stretch_stiffness, plain.stretch_stiffness);
  EXPECT_EQ(declared.bend_stiffness, plain.bend_stiffness);
  EXPECT_EQ(declared.stiffness_law, plain.stiffness_law);
  EXPECT_EQ(declared.mass_weighting, plain.mass_weighting);
  EXPECT_EQ(declared.bend_angle, plain.bend_angle);
  EXPECT_EQ(declared.order, plain.order);
  EXPECT_EQ(declared.execution, plain.execution);
  EXPECT_EQ(declared.precision, plain.precision);
  EXPECT_EQ(declared.gradients_at, plain.gradients_at);
  EXPECT_EQ(declared.velocity_update, plain.velocity_update);
  EXPECT_EQ(declared.detection, plain.detection);
  EXPECT_EQ(declared.reaction, plain.reaction);
  EXPECT_EQ(declared.contact_guard, plain.contact_guard);
  EXPECT_FALSE(options_of("pbd", {{"contact_guard", false}}).contact_guard);
  EXPECT_EQ(declared.self_gradient, plain.self_gradient);
  EXPECT_EQ(declared.pressure_volume, plain.pressure_volume);
  EXPECT_EQ(declared.corner_contacts, plain.corner_contacts);
  EXPECT_EQ(options_of("xpbd").bend_compliance, plain.bend_compliance);
  EXPECT_TRUE(options_of("xpbd").is_compliant);
}

TEST(PbdParameters, EveryChoiceHasAnOptionOfItsOwn) {
  const auto read = [](const char* name, const char* value) { return options_of("pbd", {{name, std::string(value)}}); };
  EXPECT_EQ(read("order", "reverse").order, SweepOrder::Reverse);
  EXPECT_EQ(read("order", "random").order, SweepOrder::Random);
  EXPECT_EQ(read("order", "jacobi").order, SweepOrder::Jacobi);
  EXPECT_EQ(read("order", "symmetric").order, SweepOrder::Symmetric);
  EXPECT_EQ(read("order", "coloured").order, SweepOrder::Coloured);
  EXPECT_EQ(read("execution", "sequential").execution, Execution::Sequential);
  EXPECT_EQ(read("precision", "float").precision, Precision::Single);
  EXPECT_EQ(read("gradients_at", "start").gradients_at, GradientsAt::Start);
  EXPECT_EQ(read("stiffness_law", "per_iteration").stiffness_law, StiffnessLaw::PerIteration);
  EXPECT_EQ(read("mass_weighting", "as_printed").mass_weighting, MassWeighting::AsPrinted);
  EXPECT_EQ(read("bend_angle", "as_printed").bend_angle, BendAngle::AsPrinted);
  EXPECT_EQ(read("velocity_update", "as_printed").velocity_update, VelocityUpdate::AsPrinted);
  EXPECT_EQ(read("detection", "static").detection, Detection::Static);
  EXPECT_EQ(read("detection", "continuous").detection, Detection::Continuous);
  EXPECT_EQ(read("self_gradient", "constant_normal").self_gradient, SelfGradient::ConstantNormal);
  EXPECT_EQ(read("reaction", "impulse").reaction, Reaction::Impulse);
  EXPECT_EQ(read("reaction", "as_printed").reaction, Reaction::AsPrinted);
  EXPECT_EQ(read("pressure_volume", "true_volume").pressure_volume, PressureVolume::TrueVolume);
}

TEST(PbdParameters, StiffnessesAndCompliancesExcludeEachOther) {
  for (const std::string& name : names(true))
    EXPECT_TRUE(name.starts_with("repulsion_") || name.find("stiffness") == std::string::npos) << name;
  for (const std::string& name : names(false)) EXPECT_EQ(name.find("compliance"), std::string::npos) << name;
  EXPECT_THROW(options_of("pbd", {{"stretch_stiffness", 1.5}}), InputError);
  EXPECT_THROW(options_of("pbd", {{"iterations", 0LL}}), InputError);
  EXPECT_THROW(options_of("xpbd", {{"stretch_stiffness", 1.0}}), InputError);
  EXPECT_THROW(options_of("xpbd", {{"stretch_compliance_m_per_n", -1.0}}), InputError);
  EXPECT_THROW(options_of("pbd", {{"thickness_m", 0.0}}), InputError);
}

std::string refusal(const Scene& scene, const std::string& id = "pbd", const Settings& settings = {}) {
  Registry registry;
  register_pbd(registry);
  const MethodDescriptor& method = registry.at(id);
  const Support support = method.supports(scene, Parameters(method.parameters, settings, id));
  return support.supported ? "" : support.reason;
}

TEST(PbdSupport, NamesWhatItCannotDo) {
  const Scene chain = hanging_chain(2, 1.0, 1.0);
  EXPECT_EQ(refusal(chain), "");
  Scene scene = chain;
  scene.particles = {};
  scene.tet_mesh = model::make_block({1, 1, 1}, Vector3::Zero(), Vector3::Ones(), model::BlockSplit::AlternatingFive);
  EXPECT_EQ(refusal(scene), "");
  scene = chain;
  scene.traction_loads.resize(1);
  EXPECT_THAT(refusal(scene), HasSubstr("traction"));
  scene = chain;
  scene.heat_sources.resize(1);
  EXPECT_THAT(refusal(scene), HasSubstr("heat"));
  EXPECT_THAT(refusal(chain, "xpbd", {{"order", std::string("jacobi")}}), HasSubstr("jacobi_average"));
  EXPECT_THAT(refusal(chain, "pbd", {{"precision", std::string("float")}, {"order", std::string("random")}}),
              HasSubstr("float"));
}

std::string complaint(const Scene& scene) {
  try {
    make_pbd_simulation(scene, {}, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PbdInput, IsRefusedInOneLineThatSaysWhere) {
  Scene scene;
  scene.name = "bad";
  scene.cloth = square_cloth(3, 0.1);
  ASSERT_EQ(complaint(scene), "");
  Scene bad = scene;
  bad.cloth.triangles.conservativeResize(9, 3);
  bad.cloth.triangles.row(8) = bad.cloth.triangles.row(0);
  EXPECT_THAT(complaint(bad), HasSubstr("manifold"));
  bad = scene;
  bad.cloth.rest_positions.row(0) = bad.cloth.rest_positions.row(1);
  EXPECT_THAT(complaint(bad), HasSubstr("no area"));
  bad = scene;
  bad.cloth.area_density = 0.0;
  EXPECT_THAT(complaint(bad), HasSubstr("kg/m²"));
  bad = hanging_chain(2, 1.0, 1.0);
  bad.particles.masses[1] = 0.0;
  EXPECT_THAT(complaint(bad), HasSubstr("particle 1 has mass 0"));
  bad = hanging_chain(2, 1.0, 1.0);
  bad.constraints[1].vertices[0] = 9;
  EXPECT_THAT(complaint(bad), HasSubstr("distance constraint 1 names vertex 9"));
  bad.constraints[1] = distance_constraint(0, 1, 1.0, 2.0);
  EXPECT_THAT(complaint(bad), HasSubstr("stiffness 2"));
  for (const Scene& one : {bad}) EXPECT_EQ(complaint(one).find('\n'), std::string::npos);
}

}  // namespace
}  // namespace deformbench::pbd
