/** Exit code of the driver without Matplotlib. */
export const noMatplotlib = 97;

/**
 * Passed to `python3 -c` with the folder for the figures, the script and its arguments. Runs the script as `python3
 * script` would. Each figure is written as it is when the script shows, saves or closes it, or at the end if it is still
 * open. There is no display: for any requested backend, the script gets the one that draws into memory.
 */
export const driver = String.raw`
import json, os, runpy, sys
folder, script = sys.argv[1:3]
sys.argv = sys.argv[2:]
sys.path[0] = os.path.dirname(script)
try:
    import matplotlib
except ImportError:
    sys.exit(${noMatplotlib})
matplotlib.use("agg")
matplotlib.use = lambda *args, **options: None
from matplotlib import pyplot
from matplotlib.figure import Figure
from matplotlib._pylab_helpers import Gcf
pyplot.switch_backend("agg")
pyplot.switch_backend = lambda *args: None
most, longest = 10, 2000
kept, facts = [], []
save = Figure.savefig

def title(figure):
    own = getattr(figure, "_suptitle", None)
    texts = [own.get_text()] if own else []
    texts += [axes.get_title() for axes in figure.axes] + [figure.get_label()]
    return str(next((text for text in texts if text), ""))

def keep(figure):
    if not figure.axes: return
    if figure not in kept:
        kept.append(figure); facts.append({})
    at = kept.index(figure)
    inches = figure.get_size_inches()
    dpi = min(figure.dpi, longest / max(inches))
    if at < most: save(figure, os.path.join(folder, f"{at}.png.part"), format="png", dpi=dpi)
    if at < most: os.replace(os.path.join(folder, f"{at}.png.part"), os.path.join(folder, f"{at}.png"))
    width, height = (max(1, int(inch * dpi)) for inch in inches)
    facts[at] = {"title": title(figure), "width": width, "height": height, "axes": len(figure.axes)}
    path = os.path.join(folder, "figures.json")
    with open(path + ".part", "w") as file: json.dump(facts, file)
    os.replace(path + ".part", path)

def open_figures():
    return [manager.canvas.figure for manager in Gcf.get_all_fig_managers()]

def keep_open():
    for figure in open_figures(): keep(figure)

shut = pyplot.close
def close(*args, **options):
    before = open_figures()
    shut(*args, **options)
    after = open_figures()
    for figure in before:
        if figure not in after: keep(figure)

# As when a person closes the windows: what is drawn later is another figure.
def show(*args, **options):
    keep_open()
    shut("all")

def saved(self, *args, **options):
    keep(self)
    return save(self, *args, **options)

pyplot.close, pyplot.show, Figure.savefig = close, show, saved
Figure.show = lambda self, *args, **options: keep(self)
try:
    runpy.run_path(script, run_name="__main__")
finally:
    keep_open()
`;
