// The whole public API. To embed the engine:
//
//   find_package(stiction REQUIRED)            # or add_subdirectory(stiction)
//   target_link_libraries(app PRIVATE stiction::stiction)
//
// World (sim/world.h) is where to start. Behind each of its queries stands a free function over Model,
// Kinematics and Input, for programs that keep these themselves: dynamics/, collision/scene_query.h,
// sim/step.h. Not in here, as few need it: viz/scene.h (a model as a draw list), contact/island.h (for a
// solver of one's own), Eigen/Geometry (quaternions, cross products).
#pragma once

#include "stiction/contact/incumbent.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/dynamics/forces.h"
#include "stiction/io/load.h"
#include "stiction/io/log_reader.h"
#include "stiction/io/problem_arrays.h"
#include "stiction/io/problem_file.h"
#include "stiction/io/scenario.h"
#include "stiction/io/state_file.h"
#include "stiction/model/model_builder.h"
#include "stiction/scenes/scenes.h"
#include "stiction/sim/batch.h"
#include "stiction/sim/controller.h"
#include "stiction/sim/expectation.h"
#include "stiction/sim/recorder.h"
#include "stiction/sim/scenario.h"
#include "stiction/sim/sensors.h"
#include "stiction/sim/world.h"
