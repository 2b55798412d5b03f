# SPDX-License-Identifier: BSD-3-Clause
# Completion of `deformbench` in fish, by the script for bash.
set -g __deformbench_script (path resolve (status dirname)/../../bash-completion/completions/deformbench)
function __deformbench_replies
    bash $__deformbench_script (commandline -opc) (commandline -ct)
end
complete -c deformbench -a '(__deformbench_replies)'
