// "Did you mean": the known word that a wrong one is nearest to.
#pragma once

#include <string>
#include <vector>

namespace stiction::runner {

// The word of `known` that `word` was most likely meant to be: the same but for upper and lower case, fewest
// letters left out, added, changed or exchanged with their neighbour (a third of them, about, at most), or
// the shortest that begins with `word`. Empty where none is near.
std::string FindNearest(const std::string& word, const std::vector<std::string>& known);

// "; did you mean 'NEAREST'?", or nothing.
std::string DidYouMean(const std::string& word, const std::vector<std::string>& known);

// What to say after "there is no X 'word'": "; did you mean 'a'? Known: a, b", or "; known: a, b".
std::string DescribeKnown(const std::string& word, const std::vector<std::string>& known);

// The file that `path`, which is not there, was most likely meant to be: its neighbour of a like name; or, of
// a name without a folder, a model or scenario among the project's assets. Empty where there is none.
std::string FindNearestFile(const std::string& path);

}  // namespace stiction::runner
