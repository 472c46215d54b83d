#!/usr/bin/env python3
"""Answers `homi run --input-generator`: tries the words that stand near a branch as input of the program.

    homi run prog.bc --input-generator examples/input_generator.py --max-time 60s -- --sym-arg 8

homi writes a line of JSON for each branch side that no path takes: where it is, its line of source,
constants and strings near it, and the nearest input. A line that this script writes is an input to
try; what it leaves out is as in the nearest one. docs/research/input-generators.md has all fields.
"""

import json
import sys

MOST = 40  # inputs for a request


def words_near(request):
    """Strings of the function, numbers of the branch as text and as a character."""
    words = []
    for text in request["strings"]:
        words.append(text)
        words.extend(text.split())
    for number in request["constants"]:
        words.append(str(number))
        if 32 <= number < 127:
            words.append(chr(number))
    kept = []
    for word in words:
        if "\0" not in word and word not in kept:
            kept.append(word)
    return kept


def inputs(request):
    """The nearest input with one part replaced by a word."""
    near = request["input"]
    for word in words_near(request):
        for place in range(len(near["arguments"])):
            changed = list(near["arguments"])
            changed[place] = word
            yield {"arguments": changed}
        if not near["arguments"]:
            yield {"arguments": [word]}
        if "stdin" in near:
            yield {"stdin": word + "\n"}
        for name in near["files"]:
            yield {"files": {name: word + "\n"}}
        for name in near["variables"]:
            yield {"variables": {name: word}}
        for name in near["objects"]:
            yield {"objects": {name: word}}


for line in sys.stdin:
    request = json.loads(line)
    for number, one in enumerate(inputs(request)):
        if number == MOST:
            break
        one["request"] = request["request"]
        print(json.dumps(one), flush=True)
