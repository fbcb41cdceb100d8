// stiction: simulate, inspect and solve from a command line.
#include "stiction_program.h"

int main(int argc, char** argv) {
  return stiction::runner::RunProgram(argc, argv);
}
