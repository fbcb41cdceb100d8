# Makes Doxygen see the headers' plain comments. Doxygen reads /** */ and ///<, the headers hold // and no markup:
#
#   // before a declaration, or at the top of a file      /** */, with \file on top
#   // behind a declaration, and its continuation lines   ///<
#   indented lines: equations, tables, parameters         a verbatim block
#
# and characters that Doxygen would take for markup are escaped.
function Escape(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/[@<>#&*|~]/, "\\\\&", text)
  return text
}

# Ends a verbatim block that the lines before left open, and prints the blank lines behind it.
function CloseVerbatim() {
  if (in_verbatim) print "\\endverbatim"
  in_verbatim = 0
  PrintBlanks()
}
function PrintBlanks() {
  for (; num_blanks > 0; --num_blanks) print ""
}

# A line that holds nothing but a comment. Blank lines between indented ones belong to their block.
function PrintComment(text) {
  if (!in_comment) print "/**"
  in_comment = 1
  if (NR == 1) print "\\file"
  if (text ~ /^ *$/ && in_verbatim) {
    ++num_blanks
  } else if (text ~ /^   +[^ ]/) {
    if (!in_verbatim) print "\\verbatim"
    PrintBlanks()
    in_verbatim = 1
    print text
  } else {
    CloseVerbatim()
    print Escape(text)
  }
}
function CloseComment() {
  CloseVerbatim()
  if (in_comment) print "*/"
  in_comment = 0
}

{
  at = index($0, "//")
  before = at ? substr($0, 1, at - 1) : $0
  text = substr($0, at + 2)
}
at && before ~ /^ *$/ && at == trailing_at { print before "///<" Escape(text); next }
at && before ~ /^ *$/ { trailing_at = 0; PrintComment(text); next }
{ CloseComment() }
at && before ~ /[;,] +$/ { trailing_at = at; print before "///<" Escape(text); next }
{ trailing_at = 0; print }
END { CloseComment() }
