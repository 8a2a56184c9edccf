# cmake -D transcript=FILE -D programs=DIRECTORY -D scratch=DIRECTORY -P check_transcript.cmake
#
# Runs the commands of a transcript, its first lines, which begin with "$ ", and compares what they print with the rest.
# There, ... stands for anything in a line, and a line that is nothing else for any number of lines. Where a program is
# missing, as an example is that needs a library, the test is skipped, except where a run must be whole.
file(READ ${transcript} expected)
string(REGEX MATCH "^(\\$ [^\n]*\n)+" commands "${expected}")
string(LENGTH "${commands}" length)
string(SUBSTRING "${expected}" ${length} -1 expected)
string(REGEX REPLACE "(^|\n)\\$ " "\\1" commands "${commands}")

file(REMOVE_RECURSE ${scratch})
file(MAKE_DIRECTORY ${scratch})
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env "PATH=${programs}:$ENV{PATH}" sh -ec "${commands}"
  WORKING_DIRECTORY ${scratch}
  OUTPUT_VARIABLE printed
  ERROR_VARIABLE errors
  RESULT_VARIABLE status
)
if(status EQUAL 127 AND NOT "$ENV{CI}" STREQUAL true)
  message("skipped: ${errors}")
  return()
endif()
string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" pattern "${expected}")
string(REGEX REPLACE "(^|\n)\\\\.\\\\.\\\\.\n" "\\1(.*\n)?" pattern "${pattern}")
string(REPLACE "\\.\\.\\." "[^\n]*" pattern "${pattern}")
if(NOT status EQUAL 0 OR NOT printed MATCHES "^${pattern}$")
  message("Status ${status}\n${errors}\nPrinted:\n${printed}\nExpected:\n${expected}")
  message(FATAL_ERROR "${transcript}: printed something else")
endif()
