// Tables of named columns: CSV (.csv), or HDF5 (.h5, .hdf5) with a dataset per column.
//
// CSV: a title line, RFC 4180; every number is the shortest text that reads back bit for bit. HDF5: numbers
// as 64-bit floats, texts as UTF-8 of one length, padded with zeros; attributes `format` = "stiction table".
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace stiction {

struct TableColumn {
  std::string name;
  std::variant<std::vector<double>, std::vector<std::string>> values;
};

// Throws std::runtime_error if WriteTable cannot take this name: unknown extension, HDF5 in a build without
// it.
void CheckTableName(const std::string& path);

// Replaces the file as a whole: who reads it sees the old table or the new one. Throws std::runtime_error: as
// CheckTableName, columns of different lengths or with the same name, or a file that cannot be written.
void WriteTable(const std::string& path, const std::vector<TableColumn>& columns);

}  // namespace stiction
