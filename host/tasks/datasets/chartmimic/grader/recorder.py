"""
Runs a script that draws a chart, and prints what it drew: texts, grid, calls of plotting functions, colours. It runs in a
sandbox that has this script and nothing else. The script could print the same itself: what comes out is its word.

Reads {"script", "plainGrid"} as JSON. Prints {"texts", "layout", "types", "colors"}; nothing if the script fails.
"""

import io
import json
import os
import sys
import warnings

# Only ours is an answer: what the script prints goes nowhere.
answer = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
os.environ["MPLBACKEND"] = "Agg"
warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.backends.backend_pdf import RendererPdf  # noqa: E402

import plotting  # noqa: E402

draw_text = RendererPdf.draw_text
find_figure, keep_open = plt.gcf, lambda *_args, **_named: None


def main():
    asked = json.load(sys.stdin)
    calls, colours = plotting.watch()
    plt.show, plt.close = keep_open, keep_open
    exec(compile(asked["script"], "graph.py", "exec"), {"__name__": "__main__", "__file__": "graph.py"})
    figure = find_figure()
    drawn = {
        "layout": layout_of(figure, asked["plainGrid"]),
        "types": dict(calls.counts),
        "colors": colours.found(),
        "texts": texts_of(figure),
    }
    print(json.dumps(drawn), file=answer, flush=True)


def layout_of(figure, plain_grid):
    """
    Of each axes in a grid: rows and columns of the grid, first and last row and column of the axes.
    @param plain_grid count axes only: those of graphs have no grid worth comparing
    """
    if plain_grid:
        return [[1, 1, 0, 1, 0, 1] for _ in figure.axes]
    specs = [axes.get_subplotspec() for axes in figure.axes if hasattr(axes, "get_subplotspec")]
    return [
        [*spec.get_gridspec().get_geometry(), *ends(spec.rowspan), *ends(spec.colspan)] for spec in specs if spec is not None
    ]


def ends(span):
    return span.start, span.stop - 1


def texts_of(figure):
    """All strings that are drawn, once the numbers along x and y axes are gone: those follow from the data."""
    texts = []

    def noting(renderer, gc, x, y, text, *rest, **named):
        texts.append(str(text))
        return draw_text(renderer, gc, x, y, text, *rest, **named)

    for axes in figure.get_axes():
        axes.set_xticks([])
        axes.set_yticks([])
    RendererPdf.draw_text = noting
    figure.savefig(io.BytesIO(), format="pdf")
    return texts


main()
