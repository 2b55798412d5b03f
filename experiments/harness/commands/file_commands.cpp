// SPDX-License-Identifier: BSD-3-Clause
// validate, recover, diff, pack: work on trace files alone.
#include <iostream>

#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/trace/recover.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {

int recover_command(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const Recovered recovered = recover(file);
    std::cout << recovered.output.string() << ':';
    for (const auto& [clock, members] : recovered.rows) {
      std::cout << ' ' << clock;
      for (const auto rows : members) std::cout << ' ' << rows;
      std::cout << " rows;";
    }
    std::cout << '\n';
    for (const std::string& lost : recovered.lost) std::cerr << "  lost " << lost << '\n';
  }
  return 0;
}

}  // namespace deformbench::harness
