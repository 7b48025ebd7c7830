import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { pause } from '../bridge/lib/index.ts';
import { ide } from '../bridge/protocol/index.ts';
import { pairRoutes } from '../host/doors/serve/live/live-routes.ts';
import { openServer } from '../host/doors/serve/server.ts';
import { runFolder } from '../host/lib/index.ts';
import {
  createLocalNode,
  defaultDisplay,
  defaultLimits,
  type Node,
  type Sandbox,
} from '../host/node/index.ts';
import { pidsOf } from './kills/processes.ts';
import { SeedDesign } from './lib/seed.ts';
import { summarise } from './lib/stats.ts';
import { type Pair, renderComparison } from './lib/table.ts';
import { tarOf } from './lib/tar.ts';
import { inputOf } from './lib/xdotool.ts';
import { keyToPixel } from './pair/key-to-pixel.ts';
import { installNoVnc, serveNoVnc } from './pair/novnc.ts';
import { processorUse } from './pair/processor.ts';

/** Keys of each way in each round. */
const letters = 'the quick brown fox jumps over'.replaceAll(' ', '');
/** How long the use of processors is watched, and turns of the wheel in that time. */
const watchMs = 8000;
const turns = 40;
/** The editor's text and its surroundings, in a window of any size: a letter is typed in its first line. */
const area = { x: 300, y: 60, width: 900, height: 120 };
/** Nothing moves by itself, and a letter only changes its own place. */
const settings = {
  'editor.cursorBlinking': 'solid',
  'editor.quickSuggestions': false,
  'editor.wordBasedSuggestions': 'off',
  'editor.occurrencesHighlight': 'off',
  'editor.autoClosingBrackets': 'never',
  'editor.minimap.enabled': false,
};
const window = { width: 1920, height: 1200 };

type Way = 'pwp' | 'noVNC';
const ways: readonly Way[] = ['pwp', 'noVNC'];

/**
 * Compares a person's page with noVNC on the same display in the same browser, one after the other: milliseconds from a
 * key to its pixel, and the load of one viewer with its browser on the machine, at rest and while an editor scrolls.
 * @param rounds of each
 */
export async function pair(signal: AbortSignal, rounds = 4): Promise<void> {
  await installNoVnc(signal);
  await using node = await createLocalNode({ signal });
  await using sandbox = await opened(node, signal);
  using seed = new SeedDesign(join(runFolder, sandbox.id, 'desk', 'X1'));
  const [pid] = await pidsOf(sandbox.id, 'X server');
  if (pid === undefined) throw new Error('the sandbox has no X server');
  await using noVnc = await serveNoVnc(seed.display, pid, signal);
  const source = { title: 'bench', person: 'Ada', open: () => Promise.resolve(sandbox) };
  await using server = await openServer(pairRoutes(source), 0);
  const urls = { pwp: server.url, noVNC: noVnc.url };
  await using owned = new AsyncDisposableStack();
  const args = ['--no-sandbox', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
  owned.defer(() => browser.close());
  const taken: Record<Way, Taken> = { pwp: nothing(), noVNC: nothing() };
  const alone: Use = { rest: [], scroll: [] };
  for (let round = 0; round < rounds; round += 1) {
    await watch(sandbox, alone, signal);
    for (const way of ways) {
      await sandbox.input(inputOf('xdotool key ctrl+Home shift+End Delete'), { signal });
      await using viewer = await shown(browser, urls[way], way);
      taken[way].keys.push(...(await keyToPixel(viewer.page, area, letters, signal)));
      await viewer.rest();
      await watch(sandbox, taken[way], signal);
    }
  }
  report(taken, alone);
}

interface Use {
  readonly rest: number[];
  readonly scroll: number[];
}
interface Taken extends Use {
  readonly keys: number[];
}
const nothing = (): Taken => ({ keys: [], rest: [], scroll: [] });

async function opened(node: Node, signal: AbortSignal): Promise<Sandbox> {
  const lines = Array.from(
    { length: 400 },
    (_, i) => `${i} a line of text that is scrolled by, and another word`,
  );
  const seeds = [
    {
      path: '/workspace',
      tar: await tarOf({
        'notes.txt': `\n${lines.join('\n')}\n`,
        '.vscode/settings.json': JSON.stringify(settings),
      }),
    },
  ];
  const spec = { name: 'bench', role: 'ide', seeds, keep: false } as const;
  const limits = { display: defaultDisplay, limits: defaultLimits };
  const sandbox = await node.start({ ...spec, ...limits }, { signal });
  try {
    await sandbox.ready({ signal });
    const play = async (line: string) => {
      await sandbox.input(inputOf(line), { signal });
      await sandbox.settle({ capMs: 3000, pointerOnly: false, signal });
    };
    await play('xdotool key ctrl+p');
    await play('xdotool type notes.txt');
    await play('xdotool key Return');
    await play('xdotool mousemove 700 500');
    const { editor } = await sandbox.call(ide.editor, {}, { signal });
    if (!editor?.uri.endsWith('notes.txt')) throw new Error('notes.txt is not open');
    return sandbox;
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

interface Viewer extends AsyncDisposable {
  readonly page: Page;
  /** Leaves the display to programs, still shown. */
  rest(): Promise<void>;
}

async function shown(browser: Browser, url: string, way: Way): Promise<Viewer> {
  const page = await browser.newPage({ viewport: window });
  page.setDefaultTimeout(60_000);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForSelector('[data-state=live]');
  if (way === 'pwp') {
    await page.click('#take');
    await page.waitForSelector('body[data-mode=you]');
  } else await page.locator('canvas').focus();
  return {
    page,
    rest: async () => {
      if (way === 'noVNC') return;
      await page.click('#give');
      await page.waitForSelector('body[data-mode=idle]');
    },
    [Symbol.asyncDispose]: () => page.close(),
  };
}

/** At rest, then while the wheel turns. */
async function watch(sandbox: Sandbox, use: Use, signal: AbortSignal): Promise<void> {
  await pause(1000, signal);
  use.rest.push(await processorUse(() => pause(watchMs, signal)));
  const scroll = async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      const next = pause(watchMs / turns, signal);
      await sandbox.input(inputOf(`xdotool click ${turn < turns / 2 ? 5 : 4}`), { signal });
      await next;
    }
  };
  use.scroll.push(await processorUse(scroll));
}

function report(taken: Readonly<Record<Way, Taken>>, alone: Use): void {
  const keys: Pair = {
    what: 'key to pixel',
    first: summarise(taken.pwp.keys),
    second: summarise(taken.noVNC.keys),
  };
  console.log(renderComparison(['pwp', 'noVNC', 'noVNC / pwp'], [keys], (pwp, noVnc) => noVnc / pwp));
  console.log('\nuse of one processor, in percent: median (p10 - p90)');
  for (const kind of ['rest', 'scroll'] as const)
    for (const [name, use] of [
      ['no viewer', alone],
      ...ways.map((way) => [way, taken[way]] as const),
    ] as const) {
      const { count, median, p10, p90 } = summarise(use[kind]);
      const figures = `${median.toFixed(1).padStart(6)} (${p10.toFixed(1)} - ${p90.toFixed(1)})`;
      console.log(
        `  ${kind === 'rest' ? 'at rest' : 'scrolling'}, ${name.padEnd(10)} ${figures}, n ${count}`,
      );
    }
}
