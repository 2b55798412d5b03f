# Run at every build: cmake -DSOURCE_DIR=… -DINPUT=… -DOUTPUT=… -P git_state.cmake
# Writes OUTPUT only if the commit or the state of the tree changed, so that nothing is rebuilt for nothing.
set(commit unknown)
set(state unknown)
find_program(git_program git)
if(git_program)
  execute_process(COMMAND ${git_program} -C ${SOURCE_DIR} rev-parse --verify HEAD
                  OUTPUT_VARIABLE head RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    execute_process(COMMAND ${git_program} -C ${SOURCE_DIR} --no-optional-locks status --porcelain
                    OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed)
      set(commit ${head})
      if(changes STREQUAL "")
        set(state clean)
      else()
        set(state dirty)
      endif()
    endif()
  endif()
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
