// HDF5's way to a LogFile: a virtual file driver whose writes never fail, and a superblock that any reader
// accepts at any moment. Private to io.
//
// A file in single-writer-multiple-reader (SWMR) mode is consistent on disk after every single write, but its
// superblock is not kept up to date: it is marked as open for writing, and names an end of file from before
// the first block. Readers that do not ask for SWMR then refuse it, after the writer was killed too. Seal()
// writes the 48 bytes anew:
//
//   8 signature | version 3 | sizes 8, 8 | flags | 8 base | 8 extension | 8 end of file | 8 root | 4 checksum
//
// References: HDF5 File Format Specification 3.0, §II.A. The checksum: B. Jenkins, lookup3, 2006.
#pragma once

#include <hdf5.h>

#include "io/log/file.h"

namespace stiction {

// A file access property list for `file`, which has to outlive the HDF5 file. Negative if HDF5 fails.
hid_t MakeLogFileAccess(LogFile& file);

// Marks the file as closed, and valid up to `end`, to which it is extended (a hole, without blocks on the
// disk): what HDF5 adds below `end` can be read without sealing again.
void Seal(LogFile& file, std::int64_t end);

}  // namespace stiction
