import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { deadline, raceSignal, signalGroup } from '../../../../bridge/lib/index.ts';
import {
  limits,
  toolError,
  type ToolInput,
  type ToolOutput,
  type viewTools,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clip, renderTerminalText } from '../../../../bridge/text/index.ts';
import { findInterpreter } from '../../language/index.ts';
import { clipMiddle, clipText, Transcript } from '../../lib/index.ts';
import { makeProgramEnvironment } from '../run/index.ts';
import { formatPath, resolvePlace } from '../workspace-place.ts';
import { requireFile } from './open-file.ts';
import { showFigures } from './preview-tools.ts';

type PreviewChart = typeof viewTools.previewChart;

/** Written by the driver. */
const figureList = z.array(
  z.object({
    title: z.string(),
    width: z.int().positive(),
    height: z.int().positive(),
    axes: z.int().nonnegative(),
  }),
);

export async function previewChart(
  { path, arguments: given, beside, timeout_ms: ms }: ToolInput<PreviewChart>,
  { signal, attach }: ToolContext,
): Promise<ToolOutput<PreviewChart>> {
  const began = performance.now();
  const where = await resolvePlace(path);
  await requireFile(where);
  const name = formatPath(where.path);
  const folder = await mkdtemp(join(tmpdir(), 'pwp-figures-'));
  try {
    const { missing, ...run } = await runScript(where.path, given, folder, ms, signal);
    if (missing)
      throw toolError('no-program', 'this Python has no Matplotlib', {
        help: 'Install it, or draw otherwise',
      });
    const all = await readFigures(folder);
    const figures = all.slice(0, limits.toolImages);
    for (const { title, base64 } of figures) attach({ mime: 'image/png', base64, title: clipTitle(title) });
    if (figures.length > 0) await showFigures(name, figures, beside, signal);
    return {
      path: name,
      ...run,
      figures: figures.map(({ title, width, height, axes }) => ({ title, width, height, axes })),
      more_figures: all.length - figures.length,
      duration_ms: performance.now() - began,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Empty if the script ended before it drew, or was killed while a figure was written. */
async function readFigures(folder: string) {
  const text = await readFile(join(folder, 'figures.json'), 'utf8').catch(() => '[]');
  const figures = figureList.parse(JSON.parse(text));
  return Promise.all(
    figures.map(async (facts, at) => {
      // The driver writes no pictures beyond the maximum.
      const bytes = await readFile(join(folder, `${at}.png`)).catch(() => Buffer.alloc(0));
      return { ...facts, title: clipText(facts.title), base64: bytes.toString('base64') };
    }),
  );
}

function clipTitle(title: string): string {
  return title === '' ? 'a figure' : clip(title, 1000);
}

interface ScriptRun {
  readonly status: 'ok' | 'error' | 'timed-out';
  readonly exit_code: number | null;
  readonly output: string;
  readonly truncated: boolean;
  /** Matplotlib is missing. */
  readonly missing: boolean;
}

const maxOutputLength = 100_000;
/** How long children of the script may keep its output open after it has ended, in milliseconds. */
const drainMs = 500;

/** Runs a Python file in its own folder; its figures are written to another one. Errors: `no-interpreter`. */
async function runScript(
  path: string,
  args: readonly string[],
  figures: string,
  ms: number,
  signal: AbortSignal,
): Promise<ScriptRun> {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? dirname(path);
  const python = await findInterpreter(workspace);
  const child = spawn(python, ['-u', '-c', chartDriver, figures, path, ...args], {
    cwd: dirname(path),
    env: makeProgramEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = new Transcript();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.add(text));
  const closed = once(child, 'close').catch(() => undefined);
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  using limit = deadline('the script', ms, signal);
  try {
    const [code] = await raceSignal(ended, limit.signal);
    using drain = deadline('the end of the output', drainMs);
    await raceSignal(closed, drain.signal).catch(() => undefined);
    return {
      status: code === 0 ? 'ok' : 'error',
      exit_code: code,
      missing: code === noMatplotlibCode,
      ...readScriptOutput(output),
    };
  } catch (cause) {
    signal.throwIfAborted();
    if (!limit.signal.aborted)
      throw toolError('no-interpreter', `${python} could not be started`, {
        cause,
        help: 'Install Python 3',
      });
    return { status: 'timed-out', exit_code: null, missing: false, ...readScriptOutput(output) };
  } finally {
    // Including programs that it has started.
    signalGroup(child.pid, 'SIGKILL');
  }
}

function readScriptOutput(output: Transcript): { output: string; truncated: boolean } {
  const { text, omitted } = clipMiddle(renderTerminalText(output.text), maxOutputLength);
  return { output: text.trimEnd(), truncated: omitted > 0 };
}

/** Exit code of the driver without Matplotlib. */
const noMatplotlibCode = 97;

/**
 * Passed to `python3 -c` with the folder for the figures, the script and its arguments. Runs the script as `python3
 * script` would. Each figure is written as it is when the script shows, saves or closes it, or at the end if it is still
 * open. There is no display: for any requested backend, the script gets the one that draws into memory.
 */
const chartDriver = String.raw`
import json, os, runpy, sys
folder, script = sys.argv[1:3]
sys.argv = sys.argv[2:]
sys.path[0] = os.path.dirname(script)
try:
    import matplotlib
except ImportError:
    sys.exit(${noMatplotlibCode})
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
