# SPDX-License-Identifier: BSD-3-Clause
"""The end of a verb's process: one line where the user interrupts it, and a word to the command that it came to its
end at all."""

import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

EXIT_INTERRUPTED = 130  # 128 + SIGINT, as a shell has it
_VARIABLE = "DEFORMBENCH_FINISHED_DESCRIPTOR"  # of a pipe to the command (commands/analysis_command.cpp)


def end_with(verb: Callable[[], int]) -> NoReturn:
    """Ends this process with the exit code of `verb`, which also imports what it needs. A module that leaves the
    interpreter does not come to the end of this function: the command hears nothing then, whatever the exit code."""
    descriptor = os.environ.pop(_VARIABLE, None)
    try:
        code = verb()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # one is enough
        print("deformbench: interrupted", file=sys.stderr)
        code = EXIT_INTERRUPTED
    if descriptor is not None:
        os.write(int(descriptor), b"f")
    sys.exit(code)
