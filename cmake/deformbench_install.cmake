# An installed deformbench: headers under the same paths as in the tree, the libraries as deformbench::<name>, the
# command, and the data it reads (declarations, claims, analysis, figure scripts).
include(CMakePackageConfigHelpers)

get_property(deformbench_libraries GLOBAL PROPERTY DEFORMBENCH_LIBRARIES)
install(TARGETS deformbench_options ${deformbench_libraries} EXPORT deformbenchTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
set_target_properties(deformbench_options PROPERTIES EXPORT_NAME options)
target_include_directories(deformbench_options INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/deformbench>)
install(EXPORT deformbenchTargets NAMESPACE deformbench:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/deformbench)

foreach(folder methods experiments reference_data)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/deformbench
          FILES_MATCHING PATTERN "*.hpp"
          PATTERN "add_a_method" EXCLUDE PATTERN "declarations" EXCLUDE PATTERN "measurements" EXCLUDE)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/deformbench_generated/interface_stamp.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/deformbench/deformbench_generated)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/deformbench
        FILES_MATCHING PATTERN "*.json" PATTERN "*.mesh" PATTERN "*.obj" PATTERN "*.py"
        PATTERN "add_a_method" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/reference_data DESTINATION ${CMAKE_INSTALL_DATADIR}/deformbench
        FILES_MATCHING PATTERN "*.json" PATTERN "generate_decks.py")
install(FILES ${PROJECT_SOURCE_DIR}/tests/mutants/outcomes.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/deformbench/tests/mutants)
# What docs/add_a_method.md walks through, and the guides, so that nobody needs the sources for a method of their own.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments/add_a_method DESTINATION ${CMAKE_INSTALL_DATADIR}/deformbench/experiments
        PATTERN "__pycache__" EXCLUDE PATTERN "build" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DATADIR}/deformbench
        FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
file(GLOB guides RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS methods/*/README.md experiments/*/README.md)
foreach(guide IN LISTS guides)
  get_filename_component(folder ${guide} DIRECTORY)
  install(FILES ${guide} DESTINATION ${CMAKE_INSTALL_DATADIR}/deformbench/${folder})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/analysis ${PROJECT_SOURCE_DIR}/paper_figures
        DESTINATION ${CMAKE_INSTALL_DATADIR}/deformbench
        FILES_MATCHING PATTERN "*.py" PATTERN "*.json" PATTERN "*.in" PATTERN "*.css" PATTERN "*.js" PATTERN "*.html" PATTERN "*.pov"
        PATTERN "*.ipynb" PATTERN "py.typed" PATTERN "pyproject.toml" PATTERN "Snakefile" PATTERN "config.yaml"
        PATTERN "out" EXCLUDE PATTERN "build" EXCLUDE PATTERN "*.egg-info" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/paper_figures/slurm/slurm_status
        DESTINATION ${CMAKE_INSTALL_DATADIR}/deformbench/paper_figures/slurm)
if(TARGET deformbench)
  # What ./install builds: all that is installed, and no test.
  add_custom_target(deformbench_package DEPENDS deformbench vertex_block_descent)
  foreach(library IN LISTS deformbench_libraries)
    add_dependencies(deformbench_package ${library})
  endforeach()
  install(TARGETS deformbench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set(man_pages ${PROJECT_BINARY_DIR}/man)
  add_custom_command(OUTPUT ${man_pages}/deformbench.1
                     COMMAND ${Python3_EXECUTABLE} cmake/make_man_pages.py $<TARGET_FILE:deformbench> ${man_pages}
                     DEPENDS deformbench cmake/make_man_pages.py analysis/deformbench_analysis/cli.py
                             analysis/deformbench_analysis/file_verbs.py paper_figures/verbs.py
                     WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMENT "Man pages" VERBATIM)
  add_custom_target(deformbench_man_pages ALL DEPENDS ${man_pages}/deformbench.1)
  add_dependencies(deformbench_package deformbench_man_pages)
  install(DIRECTORY ${man_pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  set(completion ${PROJECT_SOURCE_DIR}/cmake/completion)
  install(FILES ${completion}/deformbench.bash RENAME deformbench
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completion}/_deformbench DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${completion}/deformbench.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(TARGETS vertex_block_descent LIBRARY DESTINATION ${CMAKE_INSTALL_BINDIR}/../lib/deformbench/plugins)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments/add_a_method DESTINATION ${CMAKE_INSTALL_DATADIR}/deformbench/experiments)
endif()

set(deformbench_data ${CMAKE_INSTALL_DATADIR}/deformbench)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/deformbenchConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/deformbenchConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/deformbench
                              PATH_VARS deformbench_data)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/deformbenchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/deformbenchConfig.cmake ${PROJECT_BINARY_DIR}/deformbenchConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/deformbench)
