# What `cmake --install` puts under the prefix, beside the programs (apps/) and their scenes:
#
#   lib/libstiction_*.a   lib/cmake/stiction/   include/stiction/
#
# find_package(stiction) then gives stiction::stiction, with all that the libraries need to link.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)

set_target_properties(stiction_options PROPERTIES EXPORT_NAME options)
install(TARGETS stiction stiction_options EXPORT stictionTargets)
install(EXPORT stictionTargets NAMESPACE stiction:: DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/stiction DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)

set(STICTION_ASSETS_DIR ${CMAKE_INSTALL_DATADIR}/stiction)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/ DESTINATION ${STICTION_ASSETS_DIR})

configure_package_config_file(${PROJECT_SOURCE_DIR}/third_party/stictionConfig.cmake.in
  ${PROJECT_BINARY_DIR}/stictionConfig.cmake INSTALL_DESTINATION ${package_dir} PATH_VARS STICTION_ASSETS_DIR)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stictionConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stictionConfig.cmake ${PROJECT_BINARY_DIR}/stictionConfigVersion.cmake
        ${PROJECT_SOURCE_DIR}/third_party/stiction_hdf5.cmake DESTINATION ${package_dir})
