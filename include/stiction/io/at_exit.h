// What HDF5 does when a program ends.
#pragma once

namespace stiction {

// HDF5 closes at exit what is open, and crashes over a file that could not be closed before, because the disk
// is full. For programs that close what they write themselves: call it before anything is read or written.
void LeaveHdf5AtExit();

}  // namespace stiction
