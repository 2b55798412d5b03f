// SPDX-License-Identifier: BSD-3-Clause
// Points linked to tetrahedra ([MG04] §5.1) and the update pass over them, sorted by element so that per-element
// quantities are computed once.
#pragma once

#include <span>
#include <vector>

#include "methods/model/tet_mesh.hpp"

namespace deformbench::surface {

using BarycentricCoordinates = Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor>;  ///< n×4, rows sum to 1

/// Coordinates of `p` (m) in an element of `mesh` at rest; the sum is 1.
Eigen::Vector4d barycentric_in(const model::TetMesh& mesh, Eigen::Index element, const Vector3& p);

enum class NormalMap {
  None,
  Rotation,          ///< R_e n, as printed in [MG04] §5.1; exact for rotations only
  InverseTranspose,  ///< F⁻ᵀ n / |F⁻ᵀ n|, exact for every affine map (erratum B-IVM-10)
};

class LinkedPoints {
 public:
  /// Appends points, linked to `elements` of `rest` by `barycentric` (n×4) with rest `normals` (n×3).
  void append(const model::TetMesh& rest, std::span<const int> elements,
              const Eigen::Ref<const BarycentricCoordinates>& barycentric, const Eigen::Ref<const Points>& normals);
  void set_normal(const model::TetMesh& rest, int point, const Vector3& normal);
  /// Re-sorts the points by element if appending has scattered them.
  void regroup_if_scattered();
  int size() const { return int(record_of_.size()); }

  /// For vertex positions `x` and elements `tetrahedra` of the mesh: positions (m, if `Positions`) and normals.
  /// `rotations` (one per element) are used by NormalMap::Rotation only.
  template <bool Positions, NormalMap Normals>
  void pass(const double* x, const Tetrahedra& tetrahedra, const Matrix3* rotations, double* positions,
            double* normals) const;

 private:
  struct Record {
    double b1, b2, b3;  // barycentric coordinates of the element's corners 1, 2, 3
    double m1, m2, m3;  // D_mᵀ n: rest normal in the element's edge basis, for cof(F) n ∝ cof(D_s) D_mᵀ n
    double n1, n2, n3;  // rest normal
    int point;          // row of the output
  };
  struct Group {
    int element;
    int first, last;  // records
  };

  std::vector<Record> records_;
  std::vector<Group> groups_;
  std::vector<int> record_of_;  // of each point
  std::size_t groups_at_best_ = 0;
};

}  // namespace deformbench::surface
