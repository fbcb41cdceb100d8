// stiction: simulate, inspect and solve from a command line.
#include "stiction/io/at_exit.h"
#include "stiction_program.h"

int main(int argc, char** argv) {
  stiction::LeaveHdf5AtExit();
  return stiction::runner::RunProgram(argc, argv);
}
