#!/usr/bin/env python3
"""Answers `homi run --ask`: tries the words that stand near a branch as input of the program.

    homi run prog.bc --ask examples/ask_words.py --max-time 60s -- --sym-arg 8

homi writes a line of JSON for each branch side that no path takes: where it is, its line of source,
constants and strings near it, and the nearest input. A line that this script writes is an input to
try; what it leaves out is as in the nearest one. docs/research/input-generators.md has all fields.
"""

import json
import sys

MOST = 40  # inputs for a question


def words_near(question):
    """Strings of the function, numbers of the branch as text and as a character."""
    words = []
    for text in question["strings"]:
        words.append(text)
        words.extend(text.split())
    for number in question["constants"]:
        words.append(str(number))
        if 32 <= number < 127:
            words.append(chr(number))
    kept = []
    for word in words:
        if "\0" not in word and word not in kept:
            kept.append(word)
    return kept


def inputs(question):
    """The nearest input with one part replaced by a word."""
    near = question["input"]
    for word in words_near(question):
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
    question = json.loads(line)
    for number, one in enumerate(inputs(question)):
        if number == MOST:
            break
        one["question"] = question["question"]
        print(json.dumps(one), flush=True)
