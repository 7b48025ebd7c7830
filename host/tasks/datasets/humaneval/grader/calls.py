"""HumanEval's tests without the agent's code beside them.

The record's test calls one function. First it is run with the record's own solution, and the arguments of each call are
noted. The agent's function answers these calls elsewhere. Then the test is run again, with these answers.
"""

import builtins
import copy
import random

from values import packed, unpacked


class Unasked(Exception):
    """The test calls the function otherwise than when the calls were noted: it depends on what is answered."""


def program(record):
    """The names that the record's solution and test define."""
    names = {"__name__": "program"}
    exec(compile(f"{record['prompt']}{record['canonical_solution']}\n{record['test']}\n", "program", "exec"), names)
    return names


def run_test(record, function_of):
    """Runs the test, with a function made from the record's own in the place of the agent's."""
    random.seed(0)
    names = program(record)
    names["check"](function_of(names[record["entry_point"]]))


def noted_calls(record):
    """The arguments of each call that the test makes, packed."""
    calls = []

    def noting(solution):
        def call(*args, **named):
            calls.append([packed(args), packed(named)])
            return solution(*args, **named)

        return call

    run_test(record, noting)
    return calls


def run_with(record, calls, answers):
    """Runs the test with what the agent's function answered. Raises what the test raises."""
    at = iter(range(len(calls)))

    def answering(_solution):
        def call(*args, **named):
            index = next(at, None)
            if index is None or calls[index] != [packed(args), packed(named)]:
                raise Unasked("the test makes other calls than were noted")
            return value_of(answers[index])

        return call

    run_test(record, answering)


def value_of(answer):
    """The result of one call: its value, or the kind of error that it raised."""
    if "raised" not in answer:
        return copy.deepcopy(unpacked(answer["value"])) if isinstance(answer["value"], list) else answer["value"]
    kind = getattr(builtins, str(answer["raised"]), None)
    is_error = isinstance(kind, type) and issubclass(kind, Exception)
    raise (kind if is_error else RuntimeError)(answer["raised"])
