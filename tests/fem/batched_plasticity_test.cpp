// SPDX-License-Identifier: BSD-3-Clause
// The flow rule that the simulation runs, several elements per register, against numbers computed by hand; and that an
// element's result knows nothing of the elements that share its register.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "tests/fem/fem_fixture.hpp"
#include "tests/fem/plastic_flow.hpp"

namespace deformbench::fem {
namespace {

std::array<double, 6> flowed_alone(const PlasticLaw& law, const Element<double>& element) {
  return flowed<double>(law, std::vector<Element<double>>(numerics::lane_count<double>, element)).front();
}

double frobenius(const std::array<double, 6>& p) {
  return std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + 2.0 * (p[3] * p[3] + p[4] * p[4] + p[5] * p[5]));
}

constexpr PlasticLaw kFrobeniusTotal{StrainNorm::Frobenius, YieldMeasure::Total, CreepRate::Exponential, false};

TEST(BatchedFlow, CountsEveryShearTwiceInTheFrobeniusNormAndFourTimesInTheEngineeringNorm) {
  // ε = (0.1, −0.2, 0.2; 0.1, 0.2, 0.3): ε:ε = 0.09 + 2·0.14 = 0.37, |ε| = 0.60827625…;
  // of the 6-vector with γ = 2ε: 0.09 + 4·0.14 = 0.65, 0.80622577….
  const Element<double> strained{{0.1, -0.2, 0.2, 0.1, 0.2, 0.3}, {}};
  const auto flows_at = [&](StrainNorm norm, double yield) {
    Element<double> element = strained;
    element.yield = yield, element.fraction = 0.5;
    const auto p = flowed_alone({norm, YieldMeasure::Total, CreepRate::AsPrinted, false}, element);
    if (p[0] != 0.0) {
      for (std::size_t k = 0; k < 6; ++k) EXPECT_DOUBLE_EQ(p[k], 0.5 * strained.strain[k]);
    }
    return p[0] != 0.0;
  };
  EXPECT_TRUE(flows_at(StrainNorm::Frobenius, 0.6082762));
  EXPECT_FALSE(flows_at(StrainNorm::Frobenius, 0.6082763));
  EXPECT_TRUE(flows_at(StrainNorm::Engineering, 0.8062257));
  EXPECT_FALSE(flows_at(StrainNorm::Engineering, 0.8062258));
}

TEST(BatchedFlow, TakesTheDeviatorAloneWhereOnlyTheDeviatorYields) {
  // Mean of (0.3, 0, 0) is 0.1: what flows is (0.2, −0.1, −0.1), of which the norm is √0.06 = 0.24494897….
  Element<double> element{{0.3, 0, 0, 0, 0, 0}, {}};
  element.fraction = 0.5;
  const PlasticLaw law{StrainNorm::Frobenius, YieldMeasure::Deviatoric, CreepRate::AsPrinted, false};
  element.yield = 0.2449489;
  const auto p = flowed_alone(law, element);
  EXPECT_NEAR(p[0], 0.1, 1e-16);
  EXPECT_NEAR(p[1], -0.05, 1e-16);
  EXPECT_NEAR(p[2], -0.05, 1e-16);
  element.yield = 0.2449490;
  EXPECT_EQ(frobenius(flowed_alone(law, element)), 0.0);
}

TEST(BatchedFlow, RadialReturnLeavesTheYieldLimitAsElasticStrain) {
  // |ε| = 0.5 (3-4-5 in two shears over √2): with yield 0.2 the share (1 − 0.2/0.5) = 0.6 flows.
  const double s = std::sqrt(0.5);
  Element<double> element{{0, 0, 0, 0.3 * s, 0.4 * s, 0}, {}};
  element.yield = 0.2;
  const auto p = flowed_alone({StrainNorm::Frobenius, YieldMeasure::Total, CreepRate::RadialReturn, false}, element);
  EXPECT_NEAR(p[3], 0.6 * 0.3 * s, 1e-16);
  EXPECT_NEAR(p[4], 0.6 * 0.4 * s, 1e-16);
  EXPECT_NEAR(frobenius(p), 0.3, 1e-16);
}

TEST(BatchedFlow, BringsAStoredStrainBackToItsCapAlsoWhileNothingFlows) {
  // |ε_p| = 0.5 in two shears, no elastic strain, cap 0.25: half of it is left, whatever the yield limit.
  const double s = std::sqrt(0.5);
  Element<double> element{{0, 0, 0, 0.3 * s, 0.4 * s, 0}, {0, 0, 0, 0.3 * s, 0.4 * s, 0}};
  element.max = 0.25;
  for (const double yield : {0.0, 0.01, 1e9}) {
    element.yield = yield;
    const auto p = flowed_alone(kFrobeniusTotal, element);
    EXPECT_NEAR(p[3], 0.15 * s, 1e-16) << yield;
    EXPECT_NEAR(p[4], 0.2 * s, 1e-16) << yield;
    EXPECT_NEAR(frobenius(p), 0.25, 1e-15) << yield;
  }
  element.max = 0.0;
  EXPECT_EQ(frobenius(flowed_alone(kFrobeniusTotal, element)), 0.0);
}

template <class T>
class LanesOf : public testing::Test {};
using Arithmetics = testing::Types<float, double>;
TYPED_TEST_SUITE(LanesOf, Arithmetics);

/// The same bits, −0 and +0 apart too.
template <class T>
bool same_bits(const std::array<T, 6>& a, const std::array<T, 6>& b) {
  return std::memcmp(a.data(), b.data(), sizeof a) == 0;
}

TYPED_TEST(LanesOf, AnElementFlowsTheSameBitsInEveryLaneBesideAnyNeighbours) {
  using T = TypeParam;
  constexpr std::size_t lanes = std::size_t(numerics::lane_count<T>);
  numerics::RandomStream random(21);
  const auto any_element = [&](double flows_more_often) {
    Element<T> element;
    for (std::size_t k = 0; k < 6; ++k) {
      element.plastic[k] = T(0.1 * random.normal());
      element.strain[k] = element.plastic[k] + T(0.05 * random.normal());
    }
    element.yield = T(random.uniform() < flows_more_often ? 0.0 : 1e9);
    element.fraction = T(random.uniform(0.0, 1.0));
    element.max = T(random.uniform() < 0.5 ? 0.15 : 1.0);
    if (random.uniform() < 0.1) element.max = T(0);
    return element;
  };
  for (const CreepRate rate : {CreepRate::Exponential, CreepRate::RadialReturn}) {
    for (const YieldMeasure measure : {YieldMeasure::Deviatoric, YieldMeasure::Total}) {
      const PlasticLaw law{StrainNorm::Frobenius, measure, rate, false};
      int different = 0;
      for (int sample = 0; sample < 60; ++sample) {
        const Element<T> element = any_element(0.5);
        const auto alone = flowed<T>(law, std::vector<Element<T>>(lanes, element)).front();
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          for (const double share : {0.0, 0.5, 1.0}) {  // of neighbours that flow
            std::vector<Element<T>> elements;
            for (std::size_t k = 0; k < lanes; ++k) elements.push_back(k == lane ? element : any_element(share));
            different += !same_bits(flowed<T>(law, elements)[lane], alone);
          }
        }
      }
      EXPECT_EQ(different, 0);
    }
  }
}

/// Tetrahedra that share nothing, each strained in its own way and held: what flows depends on nothing else.
Scene loose_tetrahedra(int count, numerics::RandomStream& random) {
  Scene scene = tetrahedron_scene();
  const Points shape = scene.tet_mesh.rest_positions;
  scene.tet_mesh.rest_positions.resize(4 * count, 3);
  scene.tet_mesh.tetrahedra.resize(count, 4);
  model::PrescribedMotion all;
  for (int e = 0; e < count; ++e) {
    scene.tet_mesh.rest_positions.middleRows(4 * e, 4) = shape;
    scene.tet_mesh.tetrahedra.row(e) << 4 * e, 4 * e + 1, 4 * e + 2, 4 * e + 3;
  }
  all.targets = shaken(scene.tet_mesh.rest_positions, 0.02, random);
  for (int i = 0; i < 4 * count; ++i) all.vertices.push_back(i);
  scene.initial_positions = all.targets;
  scene.prescribed = {all};
  return scene;
}

/// Tetrahedron e of loose_tetrahedra alone.
Scene one_of(const Scene& many, int e) {
  Scene scene = tetrahedron_scene();
  scene.initial_positions = many.initial_positions.middleRows(4 * e, 4);
  scene.prescribed = many.prescribed;
  scene.prescribed[0].vertices = {0, 1, 2, 3};
  scene.prescribed[0].targets = scene.initial_positions;
  scene.heat_sources = many.heat_sources;
  return scene;
}

TEST(PlasticBody, AnElementCreepsTheSameBitsAloneAndAmongOthers) {
  // Some yield, some reach the cap, some never flow; some are turned so far that their rotation takes more iterations
  // than that of others in the register.
  numerics::RandomStream random(22);
  const int count = 37;
  Scene many = loose_tetrahedra(count, random);
  for (int e = 0; e < count; e += 5) {
    const Matrix3 turn = Eigen::AngleAxisd(1.0 + 0.05 * e, random.direction()).toRotationMatrix();
    const Points turned = moved(many.prescribed[0].targets.middleRows(4 * e, 4), turn, Vector3::Zero());
    many.prescribed[0].targets.middleRows(4 * e, 4) = many.initial_positions.middleRows(4 * e, 4) = turned;
  }
  for (const char* precision : {"double", "float"}) {
    const Settings settings = {{"plasticity", std::string("creep")},
                               {"plastic_yield", 0.25},
                               {"plastic_max", 0.1},
                               {"plastic_creep_per_s", 20.0},
                               {"precision", std::string(precision)}};
    const auto together = make("warped_fem", many, settings);
    for (int k = 0; k < 12; ++k) together->step();
    const auto strains = facet_of<PlasticStrainFacet>(*together).plastic_strains();
    int yielded = 0, capped = 0;
    for (int e = 0; e < count; ++e) {
      const auto alone = make("warped_fem", one_of(many, e), settings);
      for (int k = 0; k < 12; ++k) alone->step();
      const Vector6 expected = facet_of<PlasticStrainFacet>(*alone).plastic_strains()[0];
      EXPECT_EQ(strains[std::size_t(e)], expected) << precision << " element " << e;
      yielded += expected.norm() > 0.0;
      capped += strain_norm(expected, StrainNorm::Frobenius) > 0.0999;
    }
    EXPECT_GT(yielded, 5);
    EXPECT_LT(yielded, count);
    EXPECT_GT(capped, 2);
  }
}

TEST(PlasticBody, AHeatSourceThatLowersTheCapIsObeyedByColdElementsThatDoNotFlow) {
  // The bodies creep to a plastic strain well above 0.01; from 0.1 s on their source allows 0.01 and no flow at all.
  numerics::RandomStream random(23);
  Scene scene = loose_tetrahedra(20, random);
  model::HeatSource source;
  source.radius = 10.0;
  source.ramp.start = source.ramp.end = 0.1;
  source.plastic_yield = 1e6;
  source.plastic_max = 0.01;
  scene.heat_sources = {source};
  const auto simulation =
      make("warped_fem", scene, {{"plasticity", std::string("creep")}, {"plastic_creep_per_s", 50.0}});
  const auto largest = [&] {
    double norm = 0.0;
    for (const Vector6& strain : facet_of<PlasticStrainFacet>(*simulation).plastic_strains())
      norm = std::max(norm, strain_norm(strain, StrainNorm::Frobenius));
    return norm;
  };
  for (int k = 0; k < 10; ++k) simulation->step();
  EXPECT_GT(largest(), 0.1);
  for (int k = 0; k < 3; ++k) simulation->step();
  EXPECT_NEAR(largest(), 0.01, 1e-15);
}

TEST(PlasticBody, HeldInShearCreepsByOneMinusExpOfMinusRateTimesTime) {
  // One tetrahedron held in simple shear γ = 0.2: ε_xy = 0.1 without rotation (linear_fem). With c = 30/s, Δt = 0.01 s:
  // 1 − e^{−0.3} = 0.2591817793182821 of it after a step, 1 − e^{−0.6} = 0.4511883639059736 after two; as printed
  // c Δt = 0.3, then 0.3 + 0.7·0.3 = 0.51.
  Scene scene = tetrahedron_scene();
  Matrix3 shear = Matrix3::Identity();
  shear(0, 1) = 0.2;
  model::PrescribedMotion all;
  all.vertices = {0, 1, 2, 3};
  all.targets = moved(scene.tet_mesh.rest_positions, shear, Vector3::Zero());
  scene.initial_positions = all.targets;
  scene.prescribed = {all};
  const auto after = [&](const char* rate, int steps) {
    const auto simulation = make("linear_fem", scene,
                                 {{"plasticity", std::string("creep")},
                                  {"plastic_yield", 0.0},
                                  {"plastic_creep_per_s", 30.0},
                                  {"plastic_rate", std::string(rate)}});
    for (int k = 0; k < steps; ++k) simulation->step();
    return facet_of<PlasticStrainFacet>(*simulation).plastic_strains()[0][3];
  };
  EXPECT_NEAR(after("exponential", 1), 0.02591817793182821, 1e-15);
  EXPECT_NEAR(after("exponential", 2), 0.04511883639059736, 1e-15);
  EXPECT_NEAR(after("as_printed", 1), 0.03, 1e-15);
  EXPECT_NEAR(after("as_printed", 2), 0.051, 1e-15);
}

}  // namespace
}  // namespace deformbench::fem
