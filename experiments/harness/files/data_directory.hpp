// SPDX-License-Identifier: BSD-3-Clause
// Location of the project's data (experiments/, reference_data/, analysis/), in the checkout or installed.
#pragma once

#include <filesystem>
#include <string>

namespace deformbench::harness {

/// DEFORMBENCH_DATA, else <executable's folder>/../share/deformbench, else the data of the package it was built
/// against, else the checkout it was built from, else the install prefix. Throws InputError listing these if none
/// holds experiments/harness/schema.
std::filesystem::path data_directory();

/// Sets the data folder of the package that an executable is built against; `folder` must outlive the program.
void name_package_data(const char* folder);

/// Python interpreter of the analysis and of Python methods: DEFORMBENCH_PYTHON, else /usr/bin/python3.
std::string python_of_analysis();

/// The machine's name in results/<machine>: DEFORMBENCH_MACHINE, else processor_name() sanitised, else the host.
std::string machine_name();

/// Lower case letters, digits and underscores only: "Intel(R) Xeon(R) CPU" -> "intel_xeon_cpu".
std::string sanitised_name(const std::string& text);

}  // namespace deformbench::harness
