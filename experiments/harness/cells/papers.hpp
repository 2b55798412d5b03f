// SPDX-License-Identifier: BSD-3-Clause
// The papers that are known, with the paths of their parts: those of experiments/, and of folders outside the tree
// (docs/extending.md). deformbench_analysis/papers.py is the same lookup in Python.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace deformbench::harness {

/// One paper, a folder with paper.json; a part that it does not have is a path where nothing is.
struct Paper {
  std::string name;
  std::filesystem::path folder;
  std::filesystem::path declarations;  ///< folder
  std::filesystem::path claims;        ///< file
};

/// Those of the data directory, then those of the folders in DEFORMBENCH_PAPERS, each part sorted by name. Throws
/// InputError where a folder holds no paper, or two papers have one name.
std::vector<Paper> known_papers();

/// Adds folders to DEFORMBENCH_PAPERS, for this process and those that it starts. A folder is a paper (it holds
/// paper.json), or holds papers. Throws InputError where a path cannot be in that list.
void add_paper_folders(const std::vector<std::string>& folders);

/// One declaration file of a paper.
struct ExperimentFile {
  std::string id;  ///< <paper>/<name>
  std::filesystem::path path;
};

/// Every declaration of the known papers, sorted by id.
std::vector<ExperimentFile> experiment_files();

/// Those whose declaration says `paper`, or, where it says none, that are in the paper's folder. Throws InputError with
/// the nearest name when there are none.
std::vector<ExperimentFile> experiments_of(const std::string& paper);

/// The file of `name`: an id, or a short name where that is unique, among those of `paper` where one is given. Throws
/// InputError with the nearest name.
ExperimentFile find_experiment(const std::string& name, const std::string& paper = "");

/// The files of ids, short names, declaration files and "all", in that order and each once; with `paper` only those of
/// it, and all of it without names. Throws InputError for a name that is not known, or not of the paper.
std::vector<std::filesystem::path> named_experiments(const std::vector<std::string>& names, const std::string& paper);

}  // namespace deformbench::harness
