import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause } from '../bridge/lib/index.ts';
import { Session } from '../host/ide/index.ts';
import { packFolder, planFolder } from '../host/lib/index.ts';
import { createLocalNode, defaultDisplay, defaultLimits } from '../host/node/index.ts';
import { summarise } from './lib/stats.ts';
import { AfterInput } from './settle/after-input.ts';
import { corpus, type CorpusAction } from './settle/corpus.ts';
import { differingPixels } from './settle/pixels.ts';

/** Fixed sleeps of other projects after every action, in milliseconds: docs/internals/performance.md names the projects. */
const sleeps = [500, 1000, 2000] as const;
/** How long after an observation the screen is looked at again. */
const recheckMs = 2500;
/** A frame is stale when more pixels than this change after it: less is a caret or a counter. */
const stalePixels = 400;
/** More than a session's: on a shared machine, a wait that is ended by its cap says nothing about settling. */
const capMs = 15_000;

interface Measured {
  readonly name: string;
  readonly settleMs: number;
  readonly reason: string;
  readonly busy: readonly string[];
  /** Pixels that changed after the observation. */
  readonly missed: number;
  /** The same after each fixed sleep. */
  readonly missedBySleep: readonly number[];
  /** Folder with both pictures; undefined if the frame was not stale. */
  readonly pictures: string | undefined;
}

/**
 * Runs the whole corpus and looks again 2.5 s after each observation: every change in between was missed. In the same
 * run, pictures at fixed times after the action show what a fixed sleep would have missed.
 */
export async function settle(signal: AbortSignal): Promise<void> {
  await using node = await createLocalNode({ signal });
  const plan = await planFolder(fileURLToPath(new URL('./settle/workspace', import.meta.url)));
  const seeds = [{ path: '/workspace', tar: packFolder(plan) }];
  await using sandbox = await node.start(
    { name: 'bench', role: 'ide', seeds, keep: false, display: defaultDisplay, limits: defaultLimits },
    { signal },
  );
  await sandbox.ready({ signal });
  const afterInput = new AfterInput(sandbox, sleeps, signal);
  using session = new Session(afterInput.sandbox, { settleCapMs: capMs });
  await session.settle({ signal });
  const all: Measured[] = [];
  for (const action of corpus) {
    const measured = await measureOne(afterInput, session, action, signal);
    all.push(measured);
    console.log(lineOf(measured));
  }
  console.log(summaryOf(all));
}

async function measureOne(
  afterInput: AfterInput,
  session: Session,
  { name, lines }: CorpusAction,
  signal: AbortSignal,
): Promise<Measured> {
  const { observation, info } = await session.step([...lines], { signal });
  const bySleep = await afterInput.pictures();
  await pause(recheckMs, signal);
  const final = (await afterInput.sandbox.picture({ signal })).bytes;
  const missed = await differingPixels(observation.screen.bytes, final);
  return {
    name,
    settleMs: info.settled.ms,
    reason: info.settled.reason,
    busy: info.settled.busy,
    missed,
    pictures: missed > stalePixels ? await keepPictures(observation.screen.bytes, final) : undefined,
    missedBySleep: await Promise.all(bySleep.map((png) => differingPixels(png, final))),
  };
}

/** A stale frame is a fault to investigate: the observed picture, and the later one. */
async function keepPictures(observed: Uint8Array, final: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-stale-'));
  await writeFile(join(folder, 'observed.png'), observed);
  await writeFile(join(folder, 'later.png'), final);
  return folder;
}

function lineOf({ name, settleMs, reason, busy, missed, missedBySleep, pictures }: Measured): string {
  const why = reason === 'quiet' ? '' : ` (${reason}: ${busy.join(', ')})`;
  const stale = pictures === undefined ? '' : `  STALE: ${pictures}`;
  return `${name.padEnd(28)} ${settleMs.toFixed(0).padStart(5)} ms  missed ${String(missed).padStart(7)} px, by sleeps ${missedBySleep.join(' / ')}${stale}${why}`;
}

function summaryOf(all: readonly Measured[]): string {
  const { median, p10, p90, count } = summarise(all.map(({ settleMs }) => settleMs));
  const share = (values: readonly number[]) => {
    const stale = values.filter((pixels) => pixels > stalePixels).length;
    const any = values.filter((pixels) => pixels > 0).length;
    return `${stale} of ${values.length} stale (${((stale / values.length) * 100).toFixed(1)} %), ${any} with any pixel`;
  };
  return [
    `settle: median ${median.toFixed(0)} ms, p10-p90 ${p10.toFixed(0)}-${p90.toFixed(0)}, n=${count}; ${share(all.map(({ missed }) => missed))}`,
    ...sleeps.map(
      (ms, i) =>
        `sleep ${ms} ms: ${(ms / median).toFixed(1)}x as long; ${share(all.map(({ missedBySleep }) => missedBySleep[i] ?? 0))}`,
    ),
  ].join('\n');
}
