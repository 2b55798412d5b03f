// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/procedural/stand_in_models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>

#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"
#include "methods/surface/closed_surface.hpp"
#include "methods/surface/embedding.hpp"
#include "methods/surface/self_intersection.hpp"
#include "methods/surface/tetrahedralize.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

struct TableRow {  // [MG04] Table 1
  const char* name;
  int triangles, tetrahedra;
};

class StandIns : public ::testing::TestWithParam<TableRow> {
 protected:
  static const StandIn& model() {
    static std::map<std::string, StandIn> made;
    const std::string name = GetParam().name;
    if (!made.contains(name)) made.emplace(name, make_stand_in(name));
    return made.at(name);
  }
};
INSTANTIATE_TEST_SUITE_P(Table1, StandIns,
                         ::testing::Values(TableRow{"snake", 22000, 440}, TableRow{"quadruped", 5800, 970},
                                           TableRow{"dragon", 10000, 834}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(StandIns, IsOneClosedManifoldOfThePrintedTriangleCount) {
  const StandIn& stand_in = model();
  EXPECT_NEAR(double(stand_in.mesh.triangle_count()), GetParam().triangles, 0.01 * GetParam().triangles);
  EXPECT_TRUE(model::find_problems(stand_in.mesh).empty());
  EXPECT_EQ(euler_characteristic(stand_in.mesh.triangles), 2);  // one piece without handles
  EXPECT_TRUE(self_intersections(stand_in.mesh).empty());
}

TEST_P(StandIns, StandsOnTheGroundHeadFirst) {
  const StandIn& stand_in = model();
  const auto& x = stand_in.mesh.positions;
  EXPECT_NEAR(x.col(1).minCoeff(), 0.0, 0.01);
  const double length = x.col(0).maxCoeff() - x.col(0).minCoeff();
  EXPECT_GT(length, 1.0);
  EXPECT_LT(length, 2.3);
  const auto mean_x = [&](const std::string& part) {
    double sum = 0.0;
    const auto vertices = stand_in.vertices_of(part);
    EXPECT_GT(vertices.size(), 50u) << part;
    for (const int v : vertices) sum += x(v, 0);
    return sum / double(vertices.size());
  };
  EXPECT_GT(mean_x("head"), mean_x("neck"));
  EXPECT_GT(mean_x("neck"), mean_x("trunk"));
  EXPECT_GT(mean_x("trunk"), mean_x("tail"));
  const Vector3 joint = stand_in.joint("neck", "head");
  EXPECT_LT(joint.x(), mean_x("head"));
  EXPECT_GT(joint.x(), mean_x("neck"));
}

TEST_P(StandIns, IsMeshedWithThePrintedTetrahedronCountAndContained) {
  const LatticeMesh result = tetrahedralize_to_count(model().mesh, GetParam().tetrahedra);
  EXPECT_NEAR(double(result.mesh.element_count()), GetParam().tetrahedra, 0.05 * GetParam().tetrahedra);
  EXPECT_TRUE(model::find_problems(result.mesh).empty());
  EXPECT_EQ(result.parts, 1);
  EXPECT_THAT(Embedding(result.mesh, surface_test::samples_of(model().mesh)).outside_distances(), ::testing::Each(0.0));
}

TEST(StandInModels, TheWingsOfTheDragonAreTwoCellsThick) {
  const StandIn dragon = make_stand_in("dragon");
  const LatticeMesh result = tetrahedralize_to_count(dragon.mesh, 834);
  // Kept cells in the column of each wing vertex, counted at the middles of the lattice's layers.
  const auto wings = dragon.vertices_of("wings");
  const Vector3 middle =
      0.5 * (dragon.mesh.positions.colwise().minCoeff() + dragon.mesh.positions.colwise().maxCoeff()).transpose();
  const double h = result.cell_size;
  constexpr int kLayers = 5;  // the vertex's own and two on either side
  model::TriangleMesh probes{Points(kLayers * Eigen::Index(wings.size()), 3), Triangles(0, 3)};
  for (std::size_t w = 0; w < wings.size(); ++w) {
    for (int layer = 0; layer < kLayers; ++layer) {
      const auto row = kLayers * Eigen::Index(w) + layer;
      probes.positions.row(row) = dragon.mesh.positions.row(wings[w]);
      const double own = std::floor((dragon.mesh.positions(wings[w], 1) - middle.y()) / h + result.anchor.y());
      probes.positions(row, 1) = middle.y() + (own + layer - kLayers / 2 + 0.5 - result.anchor.y()) * h;
    }
  }
  const Embedding embedding(result.mesh, probes);
  const Points normals = vertex_normals(dragon.mesh);
  int thin = 0;
  int counted = 0;
  for (std::size_t w = 0; w < wings.size(); ++w) {
    if (std::abs(dragon.mesh.positions(wings[w], 2)) > 0.6 || std::abs(normals(wings[w], 1)) < 0.7)
      continue;  // tips and rims taper
    ++counted;
    int layers = 0;
    for (int layer = 0; layer < kLayers; ++layer) {
      layers += embedding.outside_distances()[kLayers * w + std::size_t(layer)] == 0.0 ? 1 : 0;
    }
    thin += layers < 2 ? 1 : 0;
  }
  EXPECT_GT(counted, 400);
  EXPECT_LT(thin, 0.05 * counted) << thin << " of " << counted;  // next to the notches between the fingers
}

TEST(StandInModels, TheSameNameGivesTheSameBits) {
  const StandIn first = make_stand_in("quadruped");
  const StandIn second = make_stand_in("quadruped");
  EXPECT_EQ(first.mesh.positions, second.mesh.positions);
  EXPECT_EQ(first.mesh.triangles, second.mesh.triangles);
}

TEST(StandInModels, PartsCarryOverToPointsNearby) {
  const StandIn cow = make_stand_in("quadruped");
  Points points(3, 3);
  points << 1.25, 0.87, 0.0, -0.1, 1.1, 0.0, 0.37, 0.02, 0.2;  // before the muzzle, above the back, at a front hoof
  const auto parts = parts_at(cow, points);
  EXPECT_EQ(cow.part_names[std::size_t(parts[0])], "head");
  EXPECT_EQ(cow.part_names[std::size_t(parts[1])], "trunk");
  EXPECT_EQ(cow.part_names[std::size_t(parts[2])], "legs");
}

TEST(StandInModels, UnknownNamesAreRefusedWithTheKnownOnes) {
  const auto message = [](auto&& action) {
    try {
      action();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_THAT(message([] { make_stand_in("pitbull"); }),
              ::testing::HasSubstr("got 'pitbull', expected one of snake, quadruped, dragon"));
  EXPECT_THAT(message([] { make_stand_in("dragon").part("fins"); }),
              ::testing::HasSubstr("has no part 'fins', expected one of"));
}

// With DEFORMBENCH_MODELS naming a folder that has them, the public cow and dragon; else the stand-ins.
TEST(Models, TheCowAndTheDragonAreMeshedAndCarried) {
  const char* folder = std::getenv("DEFORMBENCH_MODELS");
  for (const auto& [file, stand_in, target] :
       {std::tuple{"cow.obj", "quadruped", 970}, std::tuple{"dragon_10k.obj", "dragon", 834}}) {
    const model::TriangleMesh input = folder != nullptr
                                          ? model::read_triangle_mesh(std::string(folder) + "/" + file).mesh
                                          : make_stand_in(stand_in).mesh;
    const ClosedSurface closed = closed_surface(input);
    if (folder != nullptr) {
      EXPECT_EQ(closed.warnings.size(),
                std::string(file) == "cow.obj" ? 1u : 0u);  // the cow has one vertex of two fans
    }
    for (const CellLattice lattice : {CellLattice::Cubes, CellLattice::BodyCentred}) {
      const LatticeMesh result = tetrahedralize_to_count(closed.mesh, target, lattice);
      EXPECT_NEAR(double(result.mesh.element_count()), target, 0.05 * target) << file;
      EXPECT_TRUE(model::find_problems(result.mesh).empty()) << file;
      EXPECT_EQ(result.parts, 1) << file;
      EXPECT_THAT(Embedding(result.mesh, surface_test::samples_of(closed.mesh)).outside_distances(),
                  ::testing::Each(0.0))
          << file;
      const Embedding embedding(result.mesh, closed.mesh);
      Points positions, normals;
      embedding.update(2.0 * result.mesh.rest_positions, positions, normals);
      const double length = closed.mesh.positions.cwiseAbs().maxCoeff();
      EXPECT_LT((positions - 2.0 * closed.mesh.positions).cwiseAbs().maxCoeff(), 1e-13 * length);
      EXPECT_LT((normals - embedding.rest_normals()).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

}  // namespace
}  // namespace deformbench::surface
