# How the files of a target are compiled. Nearly all of a build's time goes into reading the headers of Eigen, of the
# standard library, CLI11 and GoogleTest, and into making the same of their templates in every file again. So the headers
# are read once (STICTION_PCH), and several files of a folder are compiled as one (STICTION_UNITY); what they share in a
# batch is made once. Neither is needed for a correct build: each file includes what it uses, and names in anonymous
# namespaces are distinct within a target.
#
#   stiction_precompile(<set> <library> ... HEADERS <header> ...)
#       Precompiles the headers with the compile options that these libraries bring.
#   stiction_compile(<target> <set> BATCH <files per unit> [ALONE <file> ...])
#       Uses the set for the target, whose options must be the set's (g++ says so if not). Files that cannot share a unit
#       with others are named after ALONE.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Else g++ searches all that it precompiled for garbage, again and again.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=800000>)
endif()

function(stiction_precompile set)
  cmake_parse_arguments(ARG "PIC" "" "HEADERS" ${ARGN})
  if(NOT STICTION_PCH)
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/CMakeFiles/stiction_headers_${set}.cpp)
  if(NOT EXISTS ${source})
    file(WRITE ${source} "")
  endif()
  add_library(stiction_headers_${set} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(stiction_headers_${set} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(stiction_headers_${set} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_precompile_headers(stiction_headers_${set} PRIVATE ${ARG_HEADERS})
  set_target_properties(stiction_headers_${set} PROPERTIES POSITION_INDEPENDENT_CODE ${ARG_PIC})
  # ccache is to go by the compiler's list of the files that were read. Its own, of the preprocessed text, names nothing but
  # the last build's header where that one still lies in its place, and finds by it a header made from other sources.
  if(STICTION_CCACHE AND CMAKE_CXX_COMPILER_LAUNCHER)
    set_target_properties(stiction_headers_${set} PROPERTIES
                          CXX_COMPILER_LAUNCHER "env;CCACHE_DEPEND=1;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
  # Lets ccache see which precompiled header a file was compiled with.
  target_compile_options(stiction_headers_${set} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

function(stiction_compile target set)
  cmake_parse_arguments(ARG "" "BATCH" "ALONE" ${ARGN})
  if(STICTION_PCH)
    target_precompile_headers(${target} REUSE_FROM stiction_headers_${set})
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    get_target_property(type ${target} TYPE)
    get_target_property(is_pic stiction_headers_${set} POSITION_INDEPENDENT_CODE)
    if(is_pic AND type STREQUAL EXECUTABLE)  # -fPIE by itself
      target_compile_options(${target} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
    endif()
  endif()
  if(STICTION_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${ARG_BATCH})
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# Puts the sources that include CLI11 first, so that they share units: it costs each unit some 6 s, since its functions are
# not templates and make the same of the standard library's in every file. For the same reason it is not precompiled.
function(stiction_sort_for_units out)
  set(first)
  set(rest)
  foreach(source ${ARGN})
    file(STRINGS ${source} includes REGEX "#include <CLI/" LIMIT_COUNT 1)
    if(includes)
      list(APPEND first ${source})
    else()
      list(APPEND rest ${source})
    endif()
  endforeach()
  set(${out} ${first} ${rest} PARENT_SCOPE)
endfunction()

# Where they are used most. Those of one folder alone (FCL, HDF5, json) are not worth it. The engine's own are among them
# where several files are one unit, since such a build is made from nothing.
set(STICTION_COMMON_HEADERS
    <Eigen/Core> <Eigen/Geometry> <Eigen/LU> <Eigen/Cholesky>
    <algorithm> <array> <charconv> <cmath> <cstdint> <cstdio> <cstring> <filesystem> <fstream> <functional> <limits> <map>
    <memory> <numbers> <numeric> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <tuple>
    <unordered_map> <utility> <variant> <vector>)
if(STICTION_UNITY)
  list(APPEND STICTION_COMMON_HEADERS <stiction/stiction.h>)
endif()
