"""The name by which verifiers finds the taskset of ``pwp_env.verifiers``: ``vf-eval pwp-taskset``."""

from pwp_env.verifiers import PwpHarness, PwpTaskset

__all__ = ["PwpHarness", "PwpTaskset"]
