// SPDX-License-Identifier: BSD-3-Clause
// Table of the channels: an entry holds the channel's specification, the required facet, and the factory of its
// probe. Internal to the probes.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "experiments/harness/probes/probe.hpp"
#include "methods/facets.hpp"

namespace deformbench::harness {

/// Requirement of a channel on the scene.
enum class Needs { Nothing, Vertices, Tetrahedra, Cloth, Mesh, RigidBodies, Constraints, Obstacles };

struct ChannelEntry {
  ChannelSpec spec;   ///< first dimension 0: one row per vertex (element), set once the scene is known
  std::string facet;  ///< required facet of the method; empty: none
  ChannelRows rows = ChannelRows::Fixed;
  bool per_rotation = false;  ///< one row per rotation of the method (elements or vertices)
  Needs needs = Needs::Nothing;
  bool (*is_offered)(const Simulation&) = nullptr;
  std::function<std::unique_ptr<Probe>(const ChannelSpec&, const Scene&, const Simulation&)> make;
};

using ScalarMeasure = std::function<double(const ProbeInput&)>;
using VectorMeasure = std::function<Vector3(const ProbeInput&)>;
using RowMeasure = std::function<void(const ProbeInput&, std::span<double>)>;

/// A stateless probe of one channel.
std::unique_ptr<Probe> function_probe(ChannelSpec spec, RowMeasure measure);

ChannelEntry scalar_channel(ChannelSpec spec, ScalarMeasure measure);
ChannelEntry vector_channel(ChannelSpec spec, VectorMeasure measure);  ///< sets the row shape {3}

/// One row of shape `entry_shape` for every vertex or element.
ChannelEntry field_channel(ChannelSpec spec, ChannelRows rows, std::vector<std::size_t> entry_shape,
                           RowMeasure measure);

/// The entry, requiring `Facet`; its values are reported by the method.
template <class Facet>
ChannelEntry from_facet(ChannelEntry entry, std::string name) {
  entry.facet = std::move(name);
  entry.is_offered = [](const Simulation& s) { return find_facet<Facet>(s) != nullptr; };
  entry.spec.source = "method";
  return entry;
}

/// The entries, with InputError (one line) if the scene lacks what they need.
std::vector<ChannelEntry> needing(Needs needs, std::vector<ChannelEntry> entries);
/// Throws InputError naming the channel, the scene and the missing part.
void require(Needs needs, const std::string& channel, const Scene& scene);

/// The facet of a simulation; it must exist.
template <class Facet>
const Facet& facet_of(const ProbeInput& input) {
  return deformbench::facet_of<Facet>(input.simulation);
}

/// Vertices of a named set. Throws InputError naming channel, set and scene if there is none.
const std::vector<int>& vertex_set(const Scene& scene, const std::string& name, const std::string& channel);

/// True for vertices without prescribed component.
std::vector<bool> free_vertices(const Scene& scene);

/// Edges without exactly one triangle on each side: 0 for a closed, oriented surface.
int boundary_edges(const Eigen::Ref<const Triangles>& triangles);
/// |Σ A n| / Σ A; of the order of rounding for a closed surface.
double area_vector(const Points& positions, const Eigen::Ref<const Triangles>& triangles);

/// Finite mass. Kinematic bodies have infinite mass and are excluded from all sums.
bool is_dynamic(const RigidBodyState& body);
Vector3 spin(const RigidBodyState& body);  ///< R I Rᵀ ω, kg m²/s

double kinetic_energy(const ProbeInput& input);        ///< J
double gravitational_energy(const ProbeInput& input);  ///< J, zero at the origin
Vector3 centre_of_mass(const ProbeInput& input);       ///< m

std::vector<ChannelEntry> energy_channels();
std::vector<ChannelEntry> work_channels();
std::vector<ChannelEntry> momentum_channels();
std::vector<ChannelEntry> shape_channels();
std::vector<ChannelEntry> force_channels();
std::vector<ChannelEntry> operator_channels();
std::vector<ChannelEntry> field_channels();
std::vector<ChannelEntry> solver_channels();
std::vector<ChannelEntry> skin_channels();
std::vector<ChannelEntry> cut_skin_channels();
std::vector<ChannelEntry> topology_channels();
std::vector<ChannelEntry> plasticity_channels();
std::vector<ChannelEntry> cloth_channels();
std::vector<ChannelEntry> constraint_channels();
std::vector<ChannelEntry> contact_channels();
std::vector<ChannelEntry> rigid_body_channels();
std::vector<ChannelEntry> self_contact_channels();

}  // namespace deformbench::harness
