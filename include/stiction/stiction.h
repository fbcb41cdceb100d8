// The whole public API.
#pragma once

#include "stiction/io/load.h"
#include "stiction/io/problem_file.h"
#include "stiction/io/state_file.h"
#include "stiction/model/model_builder.h"
#include "stiction/sim/world.h"
