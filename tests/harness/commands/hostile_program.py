# SPDX-License-Identifier: BSD-3-Clause
"""A program as a method that keeps every vertex where it is until its fault:
hostile_program.py FAULT. No modules but Python's."""

import array
import json
import os
import signal
import struct
import subprocess
import sys
import time

fault = sys.argv[1]
at_step = 3


def answer(document, numbers=b""):
    data = json.dumps(document).encode() + b"\n" + numbers
    while data:
        data = data[os.write(4, data) :]


def orphan(*, own_session):
    """A process that would outlive everybody; of its parents' environment it keeps only the test's mark."""
    mark = {name: text for name, text in os.environ.items() if name in ("DEFORMBENCH_TEST_MARK", "PATH")}
    subprocess.Popen(["sleep", "86399"], start_new_session=own_session, env=mark)


if fault == "exit_at_once":
    print("no licence found")
    sys.exit(3)
if fault == "deaf":
    time.sleep(86399)
questions = os.fdopen(3, "rb")
step = 0
for line in iter(questions.readline, b""):
    question = json.loads(line)
    if question["do"] == "describe":
        described = {"protocol": 1, "id": "hostile", "summary": "Stays where it is.", "paper": "none"}
        described["parameters"] = [{"name": "rounds", "default": 3, "unit": "1", "doc": "Does nothing."}]
        described["takes"] = ["tetrahedra", "planes", "rollers"]
        wrong = {
            "protocol_2": {"protocol": 2},
            "unit_7": {"parameters": [{"name": "rounds", "default": 3, "unit": 7}]},
            "takes_water": {"takes": ["water"]},
            "id_of_another": {"id": "linear_fem"},
            "id_with_blank": {"id": "my method"},
            "no_default": {"parameters": [{"name": "rounds"}]},
            "id_with_newline": {"id": "my\nmethod"},
            "long_error": {"error": "no licence\nat all " * 50_000},
            "watches_birds": {"watches": ["birds"]},
        }
        if fault.startswith("watched"):
            described["watches"] = ["gradient_norm", "objective"]
        if fault.startswith("nested"):
            os.write(4, b'{"%b": ' % fault.partition("_")[2].encode() + b"[" * 400_000 + b"]" * 400_000 + b"}\n")
            continue
        answer(described | wrong.get(fault, {}))
        if fault == "orphan_at_describe":
            orphan(own_session=True)
    elif question["do"] == "create":
        positions = [x for row in question["scene"]["body"]["vertices_m"] for x in row]
        count = len(positions) // 3
        if fault == "error_at_create":
            answer({"error": "ValueError: the mesh is too small"})
            continue
        answer({"ok": True})
    else:
        questions.read(2 * 8 * len(positions))
        step += 1
        numbers = array.array("d", positions).tobytes()
        said = {"vertices": count, "seconds": 0.0}
        if question.get("watch") and fault != "watched_not":
            said["watched"] = [[0.25 * k, None if k == 1 else 2.0**-k, 10.0 - k] for k in range(4)]
        if fault == "works":
            said["work"] = {"gradients": 960, "products": 7}
        if fault == "watched_short":
            said["watched"] = [[0.25, 1.0]]
        if step >= at_step:
            if fault == "error_at_step":
                said, numbers = {"error": "LinAlgError: singular matrix"}, b""
            elif fault in ("segfault", "real_time_signal"):
                print("about to fail", file=sys.stderr, flush=True)
                os.kill(os.getpid(), signal.SIGSEGV if fault == "segfault" else 40)
            elif fault == "exit_3":
                sys.exit(3)
            elif fault == "nan":
                numbers = struct.pack("<d", float("nan")) * (3 * count)
            elif fault == "infinite":
                numbers = struct.pack("<d", float("inf")) * (3 * count)
            elif fault == "says_diverged":
                said, numbers = {"diverged": "residual grows"}, b""
            elif fault == "two_vertices":
                said["vertices"] = 2
            elif fault == "cut_short":
                answer(said, numbers[:-4])
                sys.exit(0)
            elif fault == "garbage":
                os.write(4, b"\x00\xff\x1b[2Jwhat?\n")
                continue
            elif fault == "flood_answers":
                while True:
                    os.write(4, b"x" * 65536)
            elif fault == "too_much":
                numbers += b"\x00" * 8
            elif fault == "wrong_type":
                said["iterations"] = "many"
            elif fault == "works_unknown":
                said["work"] = {"gradients": 960, "miles": 7}
            elif fault == "works_less_than_nothing":
                said["work"] = {"gradients": -1}
            elif fault == "edits" and step == at_step:
                with open(os.environ["HOSTILE_EDITS"], "a") as edited:
                    edited.write("\n# edited\n")
            elif fault == "hang":
                time.sleep(86399)
            elif fault == "hang_with_orphans":
                orphan(own_session=False)
                orphan(own_session=True)
                time.sleep(86399)
            elif fault == "stop":
                os.kill(os.getpid(), signal.SIGSTOP)
        if fault == "orphans" and step == 1:
            orphan(own_session=False)
            orphan(own_session=True)
        if fault == "flood_output":
            sys.stdout.write("o" * 4_000_000)
            sys.stderr.write("e" * 4_000_000 + "\n")
        if fault == "slow":
            time.sleep(0.1)
            said["seconds"] = 0.1
        answer(said, numbers)
