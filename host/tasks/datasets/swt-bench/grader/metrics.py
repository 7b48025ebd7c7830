"""The six metrics of SWT-Bench for one record, from what tests did before and after the owners' fix."""

KINDS = ("F2P", "P2P", "F2F", "P2F", "unmatched")


def transitions(before, after):
    """
    Tests by what they did without and with the fix. Only PASSED and FAILED count as such; a test that was not there before
    counts as one that failed, and one that is gone afterwards as one that was broken.
    @return a set of names for each kind
    """
    found = {kind: set() for kind in KINDS}
    for name in before.keys() | after.keys():
        found[kind_of(counted(before.get(name)), counted(after.get(name)))].add(name)
    return found


def counted(status):
    return status if status in ("PASSED", "FAILED") else None


def kind_of(before, after):
    if after == "PASSED":
        return "P2P" if before == "PASSED" else "F2P"
    if before == "PASSED":
        return "P2F"
    return "F2F" if after == "FAILED" else "unmatched"


def applicable(left, base):
    """The tests still ran: not less than a tenth as many as without what was written."""
    return count(left) >= 0.1 * count(base) and count(left) > 0


def count(tests):
    return sum(map(len, tests.values()))


def success(left, base):
    """At least one more test that the fix turns from failed to passed, all of those before, and no new one that then fails."""
    added = left["F2P"] - base["F2P"]
    return bool(added) and left["F2P"] >= base["F2P"] and not left["P2F"] - base["P2F"] and not left["F2F"] - base["F2F"]


def fails_before(left, base):
    return bool((left["F2P"] - base["F2P"]) | (left["F2F"] - base["F2F"]))


def fail_to_pass(left, base):
    return bool(left["F2P"] - base["F2P"])


def pass_to_pass(left, base):
    return bool(left["P2P"] - base["P2P"])


def executable(lines, *runs):
    """Lines that the fix changes and that the owners' or the former tests run. Lines are pairs of path and number."""
    return [(path, number) for path, number in lines if any(number in run.get(path, {}) for run in runs)]


def more_often(lines, left, base):
    """How many of these lines run more often than by the former tests."""
    return sum(left.get(path, {}).get(number, 0) > base.get(path, {}).get(number, 0) for path, number in lines)


def coverage_delta(removed, added, runs):
    """
    The share of the fix's executable lines that run more often: those that it removes without it, those that it adds with it.
    @param runs counts of lines, by `left`, `gold` and `base`, each before and after
    @return None where the fix has no executable line
    """
    old = executable(removed, runs["gold"][0], runs["base"][0])
    new = executable(added, runs["gold"][1], runs["base"][1])
    if not old and not new:
        return None
    more = more_often(old, runs["left"][0], runs["base"][0]) + more_often(new, runs["left"][1], runs["base"][1])
    return more / (len(old) + len(new))
