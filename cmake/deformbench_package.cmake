# A Debian package of all that is installed:
#   cd build/release && cpack
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The deformbench authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(packages python3)
foreach(module IN LISTS DEFORMBENCH_PYTHON_MODULES)
  string(TOLOWER python3-${module} package)
  list(APPEND packages ${package})
endforeach()
list(JOIN packages ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
# To draw bodies, and to build methods of one's own against the package.
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/packages.txt packages REGEX "^(povray|g\\+\\+|cmake|ninja-build|pkg-config|.*-dev)$")
list(FILTER packages EXCLUDE REGEX "gtest|gmock|benchmark")
list(JOIN packages ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
if(DEFORMBENCH_MARCH_NATIVE)
  # Other machines may lack its instructions, so its name tells (README.md).
  set(CPACK_DEBIAN_PACKAGE_RELEASE native)
endif()
include(CPack)
