// SPDX-License-Identifier: BSD-3-Clause
// Machine-independent counts of what a step computes. An element is a tetrahedron, a triangle, a
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
  const char* name;  ///< channel name without "work_"
  std::int64_t Work::*count;
  const char* definition;
};
inline constexpr std::array<WorkItem, 9> kWorkItems{{
    {"energies", &Work::energies, "Element energies evaluated"},
    {"gradients", &Work::gradients, "Element forces or constraint gradients evaluated"},
    {"hessians", &Work::hessians, "Element Hessians evaluated, including blocks of one vertex"},
    {"local_solves", &Work::local_solves, "Linear solves for one vertex, element or constraint"},
    {"products", &Work::products, "System matrix-vector products in linear solver iterations"},
    {"back_substitutions", &Work::back_substitutions, "Solves with a factorised system matrix"},
    {"factorisations", &Work::factorisations, "Factorisations of a system matrix"},
    {"trials", &Work::trials, "Line-search objective evaluations"},
    {"projections", &Work::projections, "Element Hessians filtered for negative eigenvalues, present or not"},
}};

inline Work& Work::operator+=(const Work& other) {
  for (const WorkItem& item : kWorkItems) this->*item.count += other.*item.count;
  return *this;
}

}  // namespace deformbench
