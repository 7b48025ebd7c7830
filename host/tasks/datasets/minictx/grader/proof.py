"""Finds texts that are not Lean proofs, by the text alone. It can't show that a text is a proof."""

import re

# Words of the language that leave a goal open, trust something unproved, or change what other words mean.
FORBIDDEN = (
    "sorry", "admit", "sorryAx", "axiom", "native_decide", "unsafe", "implemented_by", "extern", "run_tac", "run_cmd",
    "run_elab", "run_meta", "elab", "elab_rules", "macro", "macro_rules", "syntax", "notation", "initialize", "opaque",
)

# With which a further command begins, at the start of a line: a proof ends there.
COMMANDS = (
    "#", "@[", "abbrev", "attribute", "class", "def", "deriving", "end", "example", "export", "import", "inductive", "infix",
    "instance", "lemma", "local", "mutual", "namespace", "noncomputable", "open", "private", "protected", "scoped", "section",
    "set_option", "structure", "theorem", "universe", "variable",
)


class NoProof(Exception):
    """Why a text is not a proof of the statement."""


def proof_of(text, context, statement):
    """The text after the statement. Raises NoProof if the text before was changed, or if this can't be a proof."""
    given = context.rstrip() + "\n" + statement.strip()
    before, rest = split_after(text, given)
    if before is None:
        raise NoProof("what precedes the proof, or the statement itself, was changed")
    bare = without_comments(rest)
    if not re.match(r"\s*(:=|\||where\b)", bare):
        raise NoProof("the statement is not followed by a proof")
    word = next((one for one in FORBIDDEN if re.search(rf"(?<![\w.]){one}(?![\w'])", bare)), None)
    if word is not None:
        raise NoProof(f"the proof has `{word}`")
    line = next((one for one in bare.splitlines() if one.startswith(COMMANDS)), None)
    if line is not None:
        raise NoProof(f"the proof is followed by more: {line[:80]}")
    if not re.sub(r"^\s*:=\s*(by\b)?", "", bare).strip():
        raise NoProof("the proof is empty")
    return rest


def split_after(text, given):
    """Splits a text after its given beginning, regardless of white space; (None, None) if it begins otherwise."""
    at = 0
    for character in given:
        if character.isspace():
            continue
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text) or text[at] != character:
            return None, None
        at += 1
    return text[:at], text[at:]


def without_comments(text):
    """Without line comments and block comments, which nest, and without what strings say."""
    found, depth, at = [], 0, 0
    while at < len(text):
        pair = text[at : at + 2]
        if pair == "/-":
            depth, at = depth + 1, at + 2
        elif pair == "-/" and depth:
            depth, at = depth - 1, at + 2
        elif depth:
            at += 1
        elif pair == "--":
            at = line_end(text, at)
        elif text[at] == '"':
            at = string_end(text, at)
            found.append('""')
        else:
            found.append(text[at])
            at += 1
    return "".join(found)


def line_end(text, at):
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def string_end(text, at):
    at += 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1
