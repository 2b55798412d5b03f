// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "methods/fem/body/vertex_split.hpp"
#include "methods/fem/elasticity/elastic_model.hpp"
#include "tests/fem/fem_fixture.hpp"
#include "tests/nearest_vertex.hpp"

namespace deformbench::fem {
namespace {

/// Sums in more digits than the terms have, so that only what the terms lost is seen.
struct Moments {
  long double mass = 0, kinetic = 0;
  std::array<long double, 3> momentum{}, spin{}, moment{};
  double elastic = 0, volume = 0;
};

Moments totals(const Scene& scene, const Eigen::VectorXd& masses, const Points& x, const Points& v) {
  Moments sum;
  for (Eigen::Index i = 0; i < masses.size(); ++i) {
    const long double m = masses[i];
    sum.mass += m;
    for (int k = 0; k < 3; ++k) {
      const int p = (k + 1) % 3, q = (k + 2) % 3;
      sum.momentum[std::size_t(k)] += m * v(i, k);
      sum.moment[std::size_t(k)] += m * x(i, k);
      sum.spin[std::size_t(k)] += m * ((long double)x(i, p) * v(i, q) - (long double)x(i, q) * v(i, p));
      sum.kinetic += 0.5L * m * v(i, k) * v(i, k);
    }
  }
  sum.elastic = ElementModel(scene, {}).energy(x);
  sum.volume = model::total_volume(scene.tet_mesh, x);
  return sum;
}

TEST(VertexSplitConservation, MassMomentaEnergiesAndVolumeStayToRounding) {
  numerics::RandomStream random(331);
  for (const auto kind :
       {model::BlockSplit::AlternatingFive, model::BlockSplit::KuhnSix, model::BlockSplit::BodyCentred}) {
    for (const HingeRule rule : {HingeRule::Separate, HingeRule::Keep}) {
      Scene scene = block_scene({4, 3, 3}, 0.1, kind);
      const Eigen::Index n = scene.tet_mesh.vertex_count();
      Points x = moved(shaken(scene.tet_mesh.rest_positions, 0.01, random), random.rotation(), Vector3(3, -2, 1));
      Points v = shaken(Points::Zero(n, 3), 2.0, random);
      Eigen::VectorXd masses = lumped_masses(scene);
      std::vector<double> element_masses;
      for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e)
        element_masses.push_back(scene.material_of(e).density *
                                 model::tetrahedron_volume(scene.tet_mesh, scene.tet_mesh.rest_positions, e));
      const Moments before = totals(scene, masses, x, v);
      FractureTopology topology(scene.tet_mesh.tetrahedra, int(n), rule);
      std::vector<VertexSplit> batch;
      int splits = 0;
      for (int k = 0; k < 120; ++k) {
        auto split = topology.split(int(random.below(std::uint64_t(topology.vertex_count()))), random.direction(), x);
        if (!split) continue;
        ++splits;
        batch.push_back(std::move(*split));
        if (k % 3) continue;  // several at a time, too
        update_masses(topology, batch, element_masses, masses);
        batch.clear();
        append_copies(topology, x);
        append_copies(topology, v);
        append_copies(topology, scene.tet_mesh.rest_positions);
        scene.tet_mesh.tetrahedra = topology.tetrahedra();
        EXPECT_EQ(masses, lumped_masses(scene));  // bit for bit what a mesh made anew has

        // Every mass is a sum of at most 24 quarters, rounded each time: of 1e-16 each, signs at random.
        const Moments after = totals(scene, masses, x, v);
        EXPECT_NEAR(double(after.mass / before.mass), 1.0, 1e-15);
        EXPECT_NEAR(double(after.kinetic / before.kinetic), 1.0, 2e-15);
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_NEAR(double(after.momentum[i] - before.momentum[i]), 0.0, 2e-15 * double(before.mass) * 2.0);
          EXPECT_NEAR(double(after.moment[i] - before.moment[i]), 0.0, 2e-15 * double(before.mass) * 4.0);
          EXPECT_NEAR(double(after.spin[i] - before.spin[i]), 0.0, 2e-15 * double(before.mass) * 8.0);
        }
        EXPECT_EQ(after.elastic, before.elastic);  // no element knows of it
        EXPECT_EQ(after.volume, before.volume);
      }
      EXPECT_GT(splits, 40);
    }
  }
}

TEST(VertexSplitConservation, MassesShareOutTheMassOfTheVertexThatSplits) {
  const Scene scene = block_scene({3, 3, 3});
  std::vector<double> element_masses(std::size_t(scene.tet_mesh.element_count()));
  for (std::size_t e = 0; e < element_masses.size(); ++e) element_masses[e] = 1.0 + double(e % 7);  // sums are exact
  FractureTopology topology(scene.tet_mesh.tetrahedra, int(scene.tet_mesh.vertex_count()));
  Eigen::VectorXd masses = Eigen::VectorXd::Zero(topology.vertex_count());
  for (int v = 0; v < topology.vertex_count(); ++v)
    for (const int place : topology.star(v)) masses[v] += 0.25 * element_masses[std::size_t(place >> 2)];
  const Eigen::VectorXd before = masses;
  const int v = nearest_vertex(scene.tet_mesh.rest_positions, Vector3(0.1, 0.1, 0.1));
  const auto split = topology.split(v, Vector3(1, 0.3, 0.2), scene.tet_mesh.rest_positions);
  ASSERT_TRUE(split);
  update_masses(topology, {&*split, 1}, element_masses, masses);
  double shared = masses[v];
  for (const NewVertex& added : split->new_vertices)
    if (added.source == v) shared += masses[added.vertex];
  EXPECT_EQ(shared, before[v]);
  EXPECT_GT(masses[v], 0.0);
  EXPECT_LT(masses[v], before[v]);
  EXPECT_EQ(masses.sum(), before.sum());
}

}  // namespace
}  // namespace deformbench::fem
