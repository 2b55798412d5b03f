// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/files/ordinary_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "methods/model/error.hpp"

namespace deformbench::harness {

namespace fs = std::filesystem;

void require_content(const fs::path& file, const std::string& expected) {
  std::error_code error;
  if (fs::is_regular_file(file, error) && fs::file_size(file, error) == 0)
    throw InputError(file.string() + ": has no content; expected " + expected);
}

void require_no_waiting(const fs::path& file) {
  std::error_code error;
  if (!fs::is_fifo(file, error)) return;
  const int descriptor = open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  const int why = errno;
  if (descriptor >= 0) close(descriptor);
  if (descriptor < 0 && why == ENXIO)
    throw InputError(file.string() + ": is a pipe that nobody reads, expected a file that can be made");
}

}  // namespace deformbench::harness
