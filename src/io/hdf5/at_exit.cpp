#include "stiction/io/at_exit.h"

#ifdef STICTION_WITH_HDF5
#include <hdf5.h>
#endif

namespace stiction {

void LeaveHdf5AtExit() {
#ifdef STICTION_WITH_HDF5
  H5dont_atexit();
#endif
}

}  // namespace stiction
