import sys

sys.path.insert(0, "/opt/pwp/grade")
from pwp_checks import Left, check, given, given_files, report, same_tokens

# Every file is compared with the renamed one, token by token: what its tests would find follows from that, and nothing
# of the agent's has to be run.
left = Left()
report([check(path, lambda path=path: same_tokens(left, path, given(f"expected/{path}"))) for path in given_files("expected")])
