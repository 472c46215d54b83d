"""Tool-info module of homi for BenchExec: benchexec.tools.homi.

Put it into benchexec/tools, or name it with --tool-directory and the archive's folder of
scripts/package --sv-comp.
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

# What a line "verdict: FALSE (PROPERTY): PART: ..." says, by PART.
VIOLATIONS = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
    "valid-deref": result.RESULT_FALSE_DEREF,
    "valid-free": result.RESULT_FALSE_FREE,
    "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
    "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
    "termination": result.RESULT_FALSE_TERMINATION,
    "no-data-race": result.RESULT_FALSE_DATARACE,
}


class Tool(benchexec.tools.template.BaseTool2):
    def executable(self, tool_locator):
        return tool_locator.find_executable("homi", subdir="bin")

    def name(self):
        return "homi"

    def version(self, executable):
        return self._version_from_tool(executable).removeprefix("homi ").split()[0]

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "svcomp", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model:
            command += ["--data-model", model]
        if rlimits.cputime and "--max-time" not in options:
            # The rest is for replays and the witness.
            command += ["--max-time", f"{max(1, int(rlimits.cputime * 0.95))}s"]
        return [*command, task.single_input_file]

    def determine_result(self, run):
        lines = [line for line in run.output if line.startswith("verdict: ")]
        if not lines:
            return result.RESULT_TIMEOUT if run.was_timeout else result.RESULT_ERROR
        verdict, _, rest = lines[-1].removeprefix("verdict: ").partition(" ")
        if verdict == "TRUE":
            return result.RESULT_TRUE_PROP
        if verdict == "FALSE":
            part = rest.partition("): ")[2].partition(":")[0]
            return VIOLATIONS.get(part, result.RESULT_FALSE_PROP)
        return result.RESULT_DONE if verdict == "DONE" else result.RESULT_UNKNOWN
