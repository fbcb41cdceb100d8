// What is fuzzed: every reader of files that users bring, each as a function of bytes.
//
// A target catches the exceptions that its reader's header names, and no others: everything else that leaves
// it, an abort, a report of a sanitizer or a call that does not end is a finding. What the reader accepts has
// to keep the reader's promises: numbers are finite, and what is written of it reads back.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stiction::fuzz {

// How inputs are changed so that more than the first lines of a reader see them.
enum class Syntax { kBytes, kXml, kJson, kHdf5 };

struct Target {
  std::string_view name;
  Syntax syntax;
  // Where among the copied assets the input stands as a file, so that what it names is found:
  // "models/fuzzed.xml".
  std::string_view place;
  std::size_t max_bytes;  // of an input: beyond it, a reader is slow and no more
  // nullptr where this build lacks the library that the reader needs: such a target is skipped by name.
  void (*run)(const std::string& path, std::string_view bytes);
};

std::span<const Target> ListTargets();
// nullptr if there is none.
const Target* FindTarget(std::string_view name);

// A copy of our assets in memory (/dev/shm, else the folder for temporary files), gone at the program's end.
// The first call makes it, and turns off the cache of meshes. Its meshes are small ones, whatever their
// names: what hulls and surfaces make of many triangles takes as long as a hundred other inputs, and meshes
// have targets of their own.
const std::string& AssetFolder();

// Of what is read, one input in so many is written and read again; which of them, its bytes say. At first
// all.
void SetRoundTrips(int one_in);
bool IsRoundTripDue(std::string_view bytes);

// Writes the input where the target wants it, and runs the target. Targets of HDF5 get the file alone.
void RunTarget(const Target& target, std::string_view bytes);

// Prints what was found and aborts, unless `is_met`.
void Require(bool is_met, const std::string& promise);

std::string ReadWholeFile(const std::string& path);
void WriteWholeFile(const std::string& path, std::string_view bytes);

// Files from our own assets, and from what our writers make of them, that begin the search: the inputs of a
// target, as bytes.
std::vector<std::string> MakeSeeds(const Target& target);

}  // namespace stiction::fuzz
