# The C library HDF5 as stiction::hdf5, from the variables of find_package(HDF5): the names of its own targets differ
# between versions of CMake. Used by the build and by the installed package.
if(NOT TARGET stiction::hdf5)
  add_library(stiction::hdf5 INTERFACE IMPORTED GLOBAL)
  target_include_directories(stiction::hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_compile_definitions(stiction::hdf5 INTERFACE ${HDF5_DEFINITIONS})
  target_link_libraries(stiction::hdf5 INTERFACE ${HDF5_C_LIBRARIES})
endif()
