// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/probes/channel_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

class FunctionProbe : public Probe {
 public:
  FunctionProbe(ChannelSpec spec, RowMeasure measure) : spec_(std::move(spec)), measure_(std::move(measure)) {}
  std::vector<ChannelSpec> channels() const override { return {spec_}; }
  void measure(const ProbeInput& input, std::span<double> row) override { measure_(input, row); }

 private:
  ChannelSpec spec_;
  RowMeasure measure_;
};

ChannelEntry stateless(ChannelSpec spec, RowMeasure measure) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.make = [measure = std::move(measure)](const ChannelSpec& s, const Scene&, const Simulation&) {
    return function_probe(s, measure);
  };
  return entry;
}

}  // namespace

std::unique_ptr<Probe> function_probe(ChannelSpec spec, RowMeasure measure) {
  return std::make_unique<FunctionProbe>(std::move(spec), std::move(measure));
}

ChannelEntry scalar_channel(ChannelSpec spec, ScalarMeasure measure) {
  return stateless(std::move(spec), [measure = std::move(measure)](const ProbeInput& input, std::span<double> row) {
    row[0] = measure(input);
  });
}

ChannelEntry vector_channel(ChannelSpec spec, VectorMeasure measure) {
  spec.row_shape = {3};
  return stateless(std::move(spec), [measure = std::move(measure)](const ProbeInput& input, std::span<double> row) {
    const Vector3 value = measure(input);
    std::copy_n(value.data(), 3, row.begin());
  });
}

ChannelEntry field_channel(ChannelSpec spec, ChannelRows rows, std::vector<std::size_t> entry_shape,
                           RowMeasure measure) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.spec.row_shape = {0};
  entry.spec.row_shape.insert(entry.spec.row_shape.end(), entry_shape.begin(), entry_shape.end());
  entry.rows = rows;
  entry.needs = rows == ChannelRows::Elements ? Needs::Tetrahedra : Needs::Vertices;
  entry.make = [rows, measure = std::move(measure)](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    ChannelSpec sized = s;
    sized.row_shape[0] =
        std::size_t(rows == ChannelRows::Vertices ? scene.vertex_count() : scene.tet_mesh.element_count());
    return function_probe(sized, measure);
  };
  return entry;
}

std::vector<ChannelEntry> needing(Needs needs, std::vector<ChannelEntry> entries) {
  for (ChannelEntry& entry : entries) entry.needs = needs;
  return entries;
}

void require(Needs needs, const std::string& channel, const Scene& scene) {
  const auto lacks = [&](const char* what, const char* expected) {
    throw InputError(
        fmt::format("channel '{}': scene '{}' has no {}, expected {}", channel, scene.name, what, expected));
  };
  const bool has_tetrahedra = scene.tet_mesh.element_count() > 0, has_cloth = scene.cloth.triangle_count() > 0;
  if (needs == Needs::Vertices && scene.vertex_count() == 0) lacks("vertices", "a deformable body");
  if (needs == Needs::Tetrahedra && !has_tetrahedra) lacks("tetrahedra", "a tetrahedral mesh");
  if (needs == Needs::Cloth && !has_cloth) lacks("triangles", "a cloth");
  if (needs == Needs::Mesh && !has_tetrahedra && !has_cloth) lacks("elements", "a tetrahedral mesh or a cloth");
  if (needs == Needs::RigidBodies && scene.rigid_bodies.empty()) lacks("rigid bodies", "at least one");
  if (needs == Needs::Constraints && scene.constraints.empty()) lacks("explicit constraints", "at least one");
  if (needs == Needs::Obstacles && scene.rigid_bodies.empty() && scene.colliders.empty())
    lacks("rigid bodies and no planes", "one of them");
}

const std::vector<int>& vertex_set(const Scene& scene, const std::string& name, const std::string& channel) {
  const auto found = scene.vertex_sets.find(name);
  if (found == scene.vertex_sets.end() || found->second.empty())
    throw InputError(fmt::format("channel '{}': scene '{}' has no vertex set '{}', expected one with vertices", channel,
                                 scene.name, name));
  return found->second;
}

std::vector<bool> free_vertices(const Scene& scene) {
  std::vector<bool> is_free(std::size_t(scene.vertex_count()), true);
  for (const auto& motion : scene.prescribed)
    for (const int v : motion.vertices) is_free[std::size_t(v)] = false;
  return is_free;
}

}  // namespace deformbench::harness
