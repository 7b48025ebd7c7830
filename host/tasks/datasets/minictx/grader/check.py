"""Grades one theorem of miniCTX: what can't be a proof scores 0. What may be one needs Lean, which is not in the image."""

import sys

sys.path[:0] = ["/opt/pwp/grade", "/tests"]

from proof import NoProof, proof_of
from pwp_checks import Failed, Left, check, fail, given, report, unavailable


def main():
    try:
        proof_of(Left().read("Problem.lean"), given("context.lean"), given("statement.lean"))
    except (NoProof, Failed) as error:
        reason = str(error)
        report([check("proof", lambda: fail(reason))])
        return
    unavailable("the text may be a proof; only Lean with the theorem's project can check it, and neither is in the image")


main()
