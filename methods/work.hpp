// SPDX-License-Identifier: BSD-3-Clause
// What a step computes, in units that do not depend on the machine. An element is a tetrahedron, a triangle, a
// spring, a hinge, a constraint or a node of a meshless solid; contacts are not counted.
#pragma once

#include <array>
#include <cstdint>

namespace deformbench {

struct Work {
  std::int64_t energies = 0;
  std::int64_t gradients = 0;
  std::int64_t hessians = 0;
  std::int64_t local_solves = 0;
  std::int64_t products = 0;
  std::int64_t back_substitutions = 0;
  std::int64_t factorisations = 0;
  std::int64_t trials = 0;
  std::int64_t projections = 0;

  Work& operator+=(const Work& other);
};

struct WorkItem {
  const char* name;  ///< of its channel, after "work_"
  std::int64_t Work::*count;
  const char* definition;
};
inline constexpr std::array<WorkItem, 9> kWorkItems{{
    {"energies", &Work::energies, "Energies of elements evaluated"},
    {"gradients", &Work::gradients, "Forces of elements or gradients of constraints evaluated"},
    {"hessians", &Work::hessians, "Second derivatives of elements evaluated, also those at one vertex"},
    {"local_solves", &Work::local_solves, "Linear systems of one vertex, element or constraint solved"},
    {"products", &Work::products, "Products of the system's matrix with a vector in iterations of a linear solver"},
    {"back_substitutions", &Work::back_substitutions, "Solves with a factorised system matrix"},
    {"factorisations", &Work::factorisations, "Factorisations of a system matrix"},
    {"trials", &Work::trials, "Objectives evaluated by line searches"},
    {"projections", &Work::projections,
     "Second derivatives of elements whose negative eigenvalues are replaced, if any"},
}};

inline Work& Work::operator+=(const Work& other) {
  for (const WorkItem& item : kWorkItems) this->*item.count += other.*item.count;
  return *this;
}

}  // namespace deformbench
