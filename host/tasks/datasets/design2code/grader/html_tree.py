"""
A page as a tree, as Beautiful Soup with Python's own parser has it: no element is closed by the start of another one. The
official metric changes pages by that tree and writes them back, so what it makes of broken pages counts.
"""

from html.parser import HTMLParser

VOID = frozenset(
    "area base basefont bgsound br col command embed frame hr image img input isindex keygen link menuitem meta nextid param "
    "source spacer track wbr".split()
)
RAW = frozenset(["script", "style"])
KEEPS_SPACE = frozenset(["pre", "textarea"])


class Element:
    def __init__(self, name, attributes):
        self.name = name
        self.attributes = attributes
        self.children = []

    def elements(self):
        """All below it, in the page's order."""
        waiting = self.children[::-1]
        while waiting:
            one = waiting.pop()
            if isinstance(one, Element):
                yield one
                waiting.extend(reversed(one.children))


class Markup(str):
    """A comment, a doctype: written as it is, and no text."""


class Builder(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]
        self.text = []

    def handle_starttag(self, name, attributes):
        self.end_text()
        element = Element(name, {key: value or "" for key, value in attributes})
        if name == "meta" and "charset" in element.attributes:
            element.attributes["charset"] = "utf-8"
        self.open[-1].children.append(element)
        if name not in VOID:
            self.open.append(element)

    def handle_startendtag(self, name, attributes):
        self.handle_starttag(name, attributes)
        self.handle_endtag(name)

    def handle_endtag(self, name):
        self.end_text()
        if all(element.name != name for element in self.open[1:]):
            return
        while self.open.pop().name != name:
            pass

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        self.markup(f"<!--{data}-->")

    def handle_decl(self, decl):
        self.markup(f"<!{decl}>\n")

    def unknown_decl(self, data):
        self.markup(f"<![{data}]]>")

    def handle_pi(self, data):
        self.markup(f"<?{data}>")

    def markup(self, text):
        self.end_text()
        self.open[-1].children.append(Markup(text))

    def end_text(self):
        text, self.text = "".join(self.text), []
        if text == "":
            return
        if text.strip(" \t\n\f\r") == "" and not any(element.name in KEEPS_SPACE for element in self.open):
            text = "\n" if "\n" in text else " "
        self.open[-1].children.append(text)


def parse(text):
    builder = Builder()
    builder.feed(text)
    builder.close()
    builder.end_text()
    return builder.root


def write(node):
    """HTML of an element with all in it; without recursion, since pages nest as deep as they like."""
    parts, waiting = [], [node]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, Element):
            parts.append(one)
            continue
        parts.append(start_of(one))
        if one.name in VOID:
            continue
        waiting.append(Markup(f"</{one.name}>" if one.name else ""))
        raw = one.name in RAW
        waiting.extend(child if raw or isinstance(child, (Element, Markup)) else escaped(child) for child in one.children[::-1])
    return "".join(parts)


def start_of(element):
    if not element.name:
        return ""
    attributes = "".join(f" {key}={quoted(value)}" for key, value in element.attributes.items())
    return f"<{element.name}{attributes}{'/' if element.name in VOID else ''}>"


def quoted(value):
    text = escaped(value)
    if '"' not in text:
        return f'"{text}"'
    return f"'{text}'" if "'" not in text else '"' + text.replace('"', "&quot;") + '"'


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def body_of(root):
    return next((one for one in root.elements() if one.name == "body"), None)
