"""Notes which of Matplotlib's plotting functions a script calls, and in which colours. Only the outermost call counts."""

import functools
import importlib
from collections import Counter

import matplotlib.colors
from matplotlib.axes._axes import Axes
from matplotlib.axes._base import _process_plot_var_args as PlotArguments
from matplotlib.image import NonUniformImage
from matplotlib.patches import Circle, Ellipse, PathPatch
from matplotlib.projections.polar import PolarAxes
from mpl_toolkits.mplot3d import Axes3D


class Watch:
    """Wraps functions. Within the call of one of them the calls of others are its own affair."""

    def __init__(self):
        self.inside = False

    def wrap(self, owner, name, note):
        """@param note takes the arguments and the result of an outermost call"""
        function = getattr(owner, name)

        @functools.wraps(function)
        def call(*args, **named):
            if self.inside:
                return function(*args, **named)
            self.inside = True
            try:
                result = function(*args, **named)
                note(args, named, result)
                return result
            finally:
                self.inside = False

        setattr(owner, name, call)


class Calls(Watch):
    """How often each function was called."""

    def __init__(self):
        super().__init__()
        self.counts = Counter()

    def count(self, key):
        def note(args, _named, _result):
            polar = key == "axes.plot" and type(args[0]) is PolarAxes
            self.counts[key + "_polar" if polar else key] += 1

        return note


class Colours(Watch):
    """The things that were drawn, and their colours. These are read again at the end: a script may change them later."""

    def __init__(self):
        super().__init__()
        self.drawn = {}

    def of(self, key, things):
        """@param things pairs of what was drawn and how its colours are found, of a call"""

        def note(args, named, result):
            for thing, colours in things(args, named, result):
                now = colours(thing)
                # As in the official metric, of things in one colour only the last one counts.
                if now:
                    self.drawn[key_of(key, args), now[-1]] = (thing, colours)

        return note

    def found(self):
        """Pairs of function and colour, each once, in a fixed order."""
        pairs = {(key, colour) for (key, _), (thing, colours) in self.drawn.items() for colour in colours(thing)}
        return sorted(pairs)


def key_of(key, args):
    return f"{key}_polar" if key == "axes.scatter" and type(args[0]) is PolarAxes else key


def hexes(colours):
    """As `#RRGGBB`, in capital letters; values that are not colours are left out."""
    found = []
    for colour in colours:
        try:
            found.append(matplotlib.colors.to_hex(colour).upper())
        except ValueError:
            pass
    return found


one_color = lambda thing: hexes([thing.get_color()])
one_face = lambda thing: hexes([thing.get_facecolor()])
first_face = lambda thing: hexes(thing.get_facecolor()[:1])
all_faces = lambda thing: hexes(thing.get_facecolor())
all_edges = lambda thing: hexes(thing.get_edgecolor())
original_face = lambda thing: hexes([thing._original_facecolor])
colormap = lambda thing: [thing.get_cmap().name]


def whole(colours):
    return lambda _args, _named, result: [(result, colours)]


def each(colours, parts=lambda result: result):
    return lambda _args, _named, result: [(part, colours) for part in parts(result)]


def itself(kind, colours):
    """For a constructor: the object that it made, if it is of this very kind."""
    return lambda args, _named, _result: [(args[0], colours)] if type(args[0]) is kind else []


def mapped_or(colours):
    """By the name of the colour map, if it is given."""

    def things(_args, named, result):
        given = named.get("cmap")
        if given is None:
            return [(result, colours)]
        return [(given if isinstance(given, str) else given.name, lambda name: [name])]

    return things


def histogram(result):
    patches = result[2]
    return [patch for one in patches for patch in (one if hasattr(one, "__iter__") else [one])]


def filled_boxes(result):
    return [box for box in result["boxes"] if isinstance(box, PathPatch)]


TYPES = [
    *((Axes, "axes", name) for name in (
        "bar barh plot axhline axvline axvspan axhspan hlines vlines errorbar boxplot violinplot violin hist fill_between "
        "fill_betweenx scatter quiver pie fill imshow pcolor contour contourf broken_barh tripcolor"
    ).split()),
    *((Axes3D, "axes3d", name) for name in "scatter plot plot_surface bar3d bar add_collection3d".split()),
    (NonUniformImage, "image", "__init__"),
    (Ellipse, "patches", "__init__"),
    (Circle, "patches", "__init__"),
]  # fmt: skip

COLOURS = [
    (PlotArguments, "axes", "_makeline", lambda _args, _named, result: [(result[0], one_color)]),
    (Axes, "axes", "axhline", whole(one_color)),
    (Axes, "axes", "axvline", whole(one_color)),
    (Axes, "axes", "_fill_between_x_or_y", whole(first_face)),
    (Axes, "axes", "bar", each(original_face)),
    (Axes, "axes", "scatter", mapped_or(first_face)),
    (Axes, "axes", "pie", each(one_face, lambda result: result[0])),
    (Axes, "axes", "axvspan", whole(one_face)),
    (Axes, "axes", "axhspan", whole(one_face)),
    (Axes, "axes", "hlines", whole(all_edges)),
    (Axes, "axes", "vlines", whole(all_edges)),
    (Axes, "axes", "boxplot", each(one_face, filled_boxes)),
    (Axes, "axes", "violinplot", each(first_face, lambda result: result["bodies"])),
    (Axes, "axes", "hist", each(one_face, histogram)),
    (Axes, "axes", "quiver", whole(all_faces)),
    *((Axes, "axes", name, whole(colormap)) for name in "imshow pcolor contour contourf tripcolor".split()),
    (Axes, "axes", "fill", each(one_face)),
    (Axes, "axes", "broken_barh", whole(all_faces)),
    (PolarAxes, "polar", "plot", each(one_color)),
    (Axes3D, "axes3d", "scatter", mapped_or(all_faces)),
    (Axes3D, "axes3d", "plot", each(one_color)),
    (Axes3D, "axes3d", "plot_surface", mapped_or(first_face)),
    (Axes3D, "axes3d", "bar3d", whole(first_face)),
    (Axes3D, "axes3d", "bar", each(one_face)),
    (Axes3D, "axes3d", "add_collection3d", whole(all_faces)),
    (NonUniformImage, "image", "__init__", itself(NonUniformImage, colormap)),
    (Ellipse, "patches", "__init__", itself(Ellipse, one_face)),
    (Circle, "patches", "__init__", itself(Circle, one_face)),
]


def watch():
    """Begins. Returns the calls and the colours that are noted from now on."""
    calls, colours = Calls(), Colours()
    types, colour_notes = TYPES + optional(TYPES_ELSEWHERE), COLOURS + optional(COLOURS_ELSEWHERE)
    for owner, place, name in types:
        calls.wrap(owner, name, calls.count(f"{place}.{name}"))
    for owner, place, name, things in colour_notes:
        colours.wrap(owner, name, colours.of(f"{place}.{name}", things))
    return calls, colours


def optional(rows):
    """Rows of packages that are installed."""
    found = []
    for path, place, *rest in rows:
        module, _, name = path.partition(":")
        try:
            owner = importlib.import_module(module)
        except ImportError:
            continue
        found.append((getattr(owner, name) if name else owner, place, *rest))
    return found


GRAPHS = ("networkx.drawing.nx_pylab", "networkx")


def drawn_edges(_args, _named, result):
    return [(result, (lambda edges: [one for edge in edges for one in one_face(edge)]) if isinstance(result, list) else all_edges)]


TYPES_ELSEWHERE = [
    *((module, "graph", name) for module in GRAPHS for name in "draw_networkx_nodes draw_networkx_edges draw_networkx_labels".split()),
    ("squarify", "squarify", "plot"),
    ("matplotlib_venn._common:VennDiagram", "venn", "__init__"),
]
COLOURS_ELSEWHERE = [
    *((module, "graph", "draw_networkx_nodes", whole(all_faces)) for module in GRAPHS),
    *((module, "graph", "draw_networkx_edges", drawn_edges) for module in GRAPHS),
    *((module, "graph", "draw_networkx_labels", each(one_color, lambda result: result.values())) for module in GRAPHS),
    ("squarify", "squarify", "plot", each(one_face, lambda axes: [bar for bars in axes.containers for bar in bars])),
    (
        "matplotlib_venn._common:VennDiagram",
        "venn",
        "__init__",
        lambda args, _named, _result: [(args[0], lambda venn: [one for patch in venn.patches if patch for one in one_face(patch)])],
    ),
]
