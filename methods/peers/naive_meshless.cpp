// SPDX-License-Identifier: BSD-3-Clause
// A straightforward meshless solid: an array of nodes, each with a list of neighbours and their d_ij, looped over
// pair by pair. Shares no code with methods/meshless on purpose: it is a speed baseline and an oracle of results.
// [PKAGDG05] §2: eq. 2, Green strain, forces as the slope of the energy, leap-frog.
#include <Eigen/Eigenvalues>
#include <cmath>
#include <map>
#include <random>

#include "methods/facets.hpp"
#include "methods/peers/register_peers.hpp"

namespace deformbench::peers {

namespace {

using Triple = std::array<double, 3>;

struct Neighbour {
  int node;
  Triple d;  ///< d_ij, 1/m
};

struct Node {
  Triple rest;                   ///< m
  double support, mass, volume;  ///< m, kg, m³
  double lambda, mu;             ///< Pa
  double projection[3][3];       ///< A A⁺; I if neighbours span all directions
  std::vector<Neighbour> neighbours;
};

double distance(const Triple& a, const Triple& b) {
  return std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

class NaiveMeshless final : public Simulation, public ElasticityFacet {
 public:
  NaiveMeshless(const Scene& scene, const Parameters& parameters)
      : scene_(scene), positions_(scene.start_positions()), velocities_(scene.start_velocities()) {
    make_nodes(parameters.real("support_factor"));
    find_neighbours();
    set_operators();
    set_masses();
    masses_.resize(Eigen::Index(nodes_.size()));
    for (std::size_t i = 0; i < nodes_.size(); ++i) masses_[Eigen::Index(i)] = nodes_[i].mass;
    held_ = prescribed_components(scene);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (int c = 0; c < 3; ++c)
        if (held_[i][std::size_t(c)]) velocity(i, c) = 0.0;
    substeps_ = int(parameters.integer("substeps"));
    if (substeps_ == 0)
      substeps_ = std::max(1, int(std::ceil(scene.time_step / (parameters.real("safety") * stable_step()))));
  }

  StepReport step() override {
    const double h = scene_.time_step / substeps_;
    StepReport report;
    report.substeps = substeps_;
    const int evaluations = substeps_ + (has_acceleration_ ? 0 : 1);
    report.work = Work{.gradients = evaluations * std::int64_t(nodes_.size())};
    if (!has_acceleration_) set_acceleration(time_);
    for (int k = 1; k <= substeps_; ++k) {
      const double end = start_ + k * h;
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (int c = 0; c < 3; ++c) velocity(i, c) += 0.5 * h * acceleration_[i][std::size_t(c)];
      const Points before = positions_;
      positions_ += h * velocities_;
      place_prescribed(scene_, end, positions_);
      set_acceleration(end);
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (int c = 0; c < 3; ++c) {
          const auto row = Eigen::Index(i);
          if (held_[i][std::size_t(c)])
            velocity(i, c) = (positions_(row, c) - before(row, c)) / h;
          else
            velocity(i, c) += 0.5 * h * acceleration_[i][std::size_t(c)];
        }
    }
    start_ = time_ = start_ + scene_.time_step;
    if (!positions_.allFinite() || !velocities_.allFinite()) report.outcome = StepOutcome::Diverged;
    return report;
  }

  StateView state() const override {
    return {time_, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

  double elastic_energy(const Eigen::Ref<const Points>& x) const override {
    double sum = 0.0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      double f[3][3], strain[3][3], trace = 0.0, density = 0.0;
      set_gradient(i, x, f);
      set_strain(i, f, strain);
      for (int a = 0; a < 3; ++a) {
        trace += strain[a][a];
        for (int b = 0; b < 3; ++b) density += nodes_[i].mu * strain[a][b] * strain[a][b];
      }
      sum += nodes_[i].volume * (density + 0.5 * nodes_[i].lambda * trace * trace);
    }
    return sum;
  }

  Points elastic_forces(const Eigen::Ref<const Points>& x) const override {
    Points forces = Points::Zero(x.rows(), 3);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      double f[3][3], strain[3][3], q[3][3];
      set_gradient(i, x, f);
      set_strain(i, f, strain);
      const double pressure = node.lambda * (strain[0][0] + strain[1][1] + strain[2][2]);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          q[a][b] = pressure * f[a][b];
          for (int c = 0; c < 3; ++c) q[a][b] += 2.0 * node.mu * f[a][c] * strain[c][b];
          q[a][b] *= node.volume;
        }
      double own[3] = {0.0, 0.0, 0.0};
      for (const Neighbour& other : node.neighbours)
        for (int a = 0; a < 3; ++a) {
          const double pull = q[a][0] * other.d[0] + q[a][1] * other.d[1] + q[a][2] * other.d[2];
          forces(other.node, a) -= pull;
          own[a] += pull;
        }
      for (int a = 0; a < 3; ++a) forces(Eigen::Index(i), a) += own[a];
    }
    return forces;
  }

 private:
  double& velocity(std::size_t i, int c) { return velocities_(Eigen::Index(i), c); }

  void make_nodes(double support_factor) {
    const Points& rest = scene_.rest_positions();
    nodes_.resize(std::size_t(rest.rows()));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i] = {};
      for (int c = 0; c < 3; ++c) nodes_[i].rest[std::size_t(c)] = rest(Eigen::Index(i), c);
      if (!scene_.particles.is_solid()) continue;
      nodes_[i].support = scene_.particles.supports[Eigen::Index(i)];
      nodes_[i].lambda = scene_.materials[0].lame_lambda();
      nodes_[i].mu = scene_.materials[0].lame_mu();
      nodes_[i].mass = scene_.materials[0].density;
    }
    std::vector<double> volumes(nodes_.size(), 0.0);
    const auto& tetrahedra = scene_.tet_mesh.tetrahedra;
    for (Eigen::Index e = 0; e < tetrahedra.rows(); ++e) {
      const double volume = model::tetrahedron_volume(scene_.tet_mesh, rest, e);
      for (int a = 0; a < 4; ++a) {
        Node& node = nodes_[std::size_t(tetrahedra(e, a))];
        volumes[std::size_t(tetrahedra(e, a))] += volume;
        node.lambda += volume * scene_.material_of(e).lame_lambda();
        node.mu += volume * scene_.material_of(e).lame_mu();
        node.mass += volume * scene_.material_of(e).density;
        for (int b = 0; b < 4; ++b)
          node.support =
              std::max(node.support, support_factor * distance(node.rest, nodes_[std::size_t(tetrahedra(e, b))].rest));
      }
    }
    if (scene_.particles.is_solid()) return;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (double* sum : {&nodes_[i].lambda, &nodes_[i].mu, &nodes_[i].mass}) *sum /= volumes[i];
  }

  void find_neighbours() {
    double size = 0.0;
    for (const Node& node : nodes_) size = std::max(size, node.support);
    std::map<std::array<int, 3>, std::vector<int>> cells;
    const auto cell_of = [&](const Node& node) {
      return std::array{int(std::floor(node.rest[0] / size)), int(std::floor(node.rest[1] / size)),
                        int(std::floor(node.rest[2] / size))};
    };
    for (std::size_t i = 0; i < nodes_.size(); ++i) cells[cell_of(nodes_[i])].push_back(int(i));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto [x, y, z] = cell_of(nodes_[i]);
      for (int k = 0; k < 27; ++k) {
        const auto cell = cells.find({x + k / 9 - 1, y + k / 3 % 3 - 1, z + k % 3 - 1});
        if (cell == cells.end()) continue;
        for (const int j : cell->second)
          if (j != int(i) && distance(nodes_[i].rest, nodes_[std::size_t(j)].rest) < nodes_[i].support)
            nodes_[i].neighbours.push_back({j, {}});
      }
    }
  }

  void set_operators() {  // [PKAGDG05] eq. 2
    for (Node& node : nodes_) {
      Matrix3 moment = Matrix3::Zero();
      std::vector<Vector3> weighted;
      for (const Neighbour& other : node.neighbours) {
        const Triple& x = nodes_[std::size_t(other.node)].rest;
        const Vector3 edge(x[0] - node.rest[0], x[1] - node.rest[1], x[2] - node.rest[2]);
        const double r = edge.norm() / node.support;
        weighted.push_back((1 - 6 * r * r + 8 * r * r * r - 3 * r * r * r * r) * edge);
        moment += weighted.back() * edge.transpose();
      }
      const Eigen::SelfAdjointEigenSolver<Matrix3> solver(moment);
      Matrix3 inverse = Matrix3::Zero(), projection = Matrix3::Zero();
      for (int k = 0; k < 3; ++k) {
        if (!(solver.eigenvalues()[k] > 1e-6 * solver.eigenvalues()[2])) continue;
        const Matrix3 onto = solver.eigenvectors().col(k) * solver.eigenvectors().col(k).transpose();
        inverse += onto / solver.eigenvalues()[k];
        projection += onto;
      }
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) node.projection[a][b] = projection(a, b);
      for (std::size_t k = 0; k < weighted.size(); ++k) {
        const Vector3 d = inverse * weighted[k];
        node.neighbours[k].d = {d[0], d[1], d[2]};
      }
    }
  }

  /// Masses proportional to ρ h³, and volumes from the kernel sum with these masses.
  void set_masses() {
    double sum = 0.0;
    for (Node& node : nodes_) sum += node.mass *= std::pow(node.support, 3);
    const double scale = lumped_masses(scene_).sum() / sum;
    for (Node& node : nodes_) node.mass *= scale;
    for (Node& node : nodes_) {
      const auto kernel = [&](double r) {
        const double s = 1.0 - r * r / (node.support * node.support);
        return 315.0 / (64.0 * 3.14159265358979323846 * std::pow(node.support, 3)) * s * s * s;
      };
      double density = node.mass * kernel(0.0);
      for (const Neighbour& other : node.neighbours) {
        const Node& there = nodes_[std::size_t(other.node)];
        density += there.mass * kernel(distance(node.rest, there.rest));
      }
      node.volume = node.mass / density;
    }
  }

  void set_gradient(std::size_t i, const Eigen::Ref<const Points>& x, double f[3][3]) const {
    const Node& node = nodes_[i];
    double own[3];
    for (int a = 0; a < 3; ++a) own[a] = x(Eigen::Index(i), a) - node.rest[std::size_t(a)];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) f[a][b] = node.projection[a][b];
    for (const Neighbour& other : node.neighbours) {
      const Node& there = nodes_[std::size_t(other.node)];
      for (int a = 0; a < 3; ++a) {
        const double change = x(other.node, a) - there.rest[std::size_t(a)] - own[a];
        for (int b = 0; b < 3; ++b) f[a][b] += change * other.d[std::size_t(b)];
      }
    }
  }

  void set_strain(std::size_t i, const double f[3][3], double strain[3][3]) const {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        strain[a][b] = 0.5 * (f[0][a] * f[0][b] + f[1][a] * f[1][b] + f[2][a] * f[2][b] - nodes_[i].projection[a][b]);
  }

  void set_acceleration(double time) {
    const Points forces = elastic_forces(positions_) + external_forces(scene_, masses_, time);
    acceleration_.resize(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
        acceleration_[i][c] = held_[i][c] ? 0.0 : forces(Eigen::Index(i), Eigen::Index(c)) / nodes_[i].mass;
    has_acceleration_ = true;
  }

  /// 2/ω_max about rest (s), by power iteration with the derivative of the forces; a few per cent too long, which the
  /// default of `safety` allows for.
  double stable_step() const {
    const Points rest = scene_.rest_positions();
    std::mt19937 random(1);
    Points w(rest.rows(), 3);
    for (Eigen::Index k = 0; k < w.size(); ++k) w.data()[k] = double(random()) / double(std::mt19937::max()) - 0.5;
    const double step = 1e-6 * nodes_[0].support;
    double squared = 0.0;
    for (int iteration = 0; iteration < 200; ++iteration) {
      w *= step / w.cwiseAbs().maxCoeff();
      const Points forces = elastic_forces(rest + w);
      Points next(w.rows(), 3);
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (Eigen::Index c = 0; c < 3; ++c)
          next(Eigen::Index(i), c) = held_[i][std::size_t(c)] ? 0.0 : -forces(Eigen::Index(i), c) / nodes_[i].mass;
      squared = next.norm() / w.norm();
      w = next;
      if (!(squared > 0.0)) return std::numeric_limits<double>::infinity();
    }
    return 2.0 / std::sqrt(squared);
  }

  const Scene scene_;
  std::vector<Node> nodes_;
  std::vector<std::array<bool, 3>> held_;
  Eigen::VectorXd masses_;
  Points positions_, velocities_;
  std::vector<Triple> acceleration_;
  bool has_acceleration_ = false;
  int substeps_ = 1;
  double start_ = 0.0, time_ = 0.0;  ///< s
};

}  // namespace

void register_naive_meshless(Registry& registry) {
  MethodDescriptor naive;
  naive.id = "naive_meshless";
  naive.summary = "Meshless elastic solid the obvious way: one pair of nodes after the other; the yardstick of speed";
  naive.paper = {"PKAGDG05",
                 "M. Pauly, R. Keiser, B. Adams, P. Dutré, M. Gross, L. J. Guibas: Meshless Animation of Fracturing "
                 "Solids, ACM Transactions on Graphics 24(3), 2005"};
  naive.parameters = {
      {"support_factor", "1", 2.0, "Support of a node over the longest edge at its vertex", 1.0, 10.0},
      {"substeps", "1", 0LL, "Steps of leap-frog in one time step; 0: as many as `safety` asks for", 0.0, 1e7},
      {"safety", "1", 0.5, "Substep over the largest stable one about rest", 1e-3, 10.0}};
  naive.supports = [](const Scene& scene, const Parameters&) {
    if (scene.tet_mesh.element_count() == 0 && !scene.particles.is_solid())
      return Support::no("the scene has no tetrahedra, whose vertices are the nodes, and no nodes of a solid");
    if (scene.particles.is_solid() && scene.materials.size() > 1)
      return Support::no("nodes of a solid have one material");
    if (!scene.colliders.empty() || !scene.rigid_bodies.empty() || !scene.attachments.empty())
      return Support::no("the naive peer supports neither contacts nor rigid bodies");
    if (!scene.constraints.empty()) return Support::no("the naive peer does not support explicit constraints");
    if (!scene.heat_sources.empty()) return Support::no("the naive peer does not support heat sources");
    return Support::yes();
  };
  naive.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return std::make_unique<NaiveMeshless>(scene, parameters);
  };
  naive.known_violations = {{"settles", "a scheme without damping keeps the energy of a swing", "IVM-06", 24.0}};
  registry.add(std::move(naive));
}

}  // namespace deformbench::peers
