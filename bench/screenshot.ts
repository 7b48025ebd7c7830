import { join } from 'node:path';
import { runFolder } from '../host/lib/index.ts';
import {
  createLocalNode,
  defaultDisplay,
  defaultLimits,
  type Sandbox,
  type ViewOptions,
} from '../host/node/index.ts';
import { SeedDesign } from './lib/seed.ts';
import { measure, summarise, type Summary } from './lib/stats.ts';
import { renderTable, type Row } from './lib/table.ts';
import { inputOf } from './lib/xdotool.ts';

const rounds = { own: 40, seed: 12 } as const;

/** Pictures as models take them; every one of a screen that has just changed. */
const views: readonly (readonly [string, ViewOptions])[] = [
  ['PNG', {}],
  ['JPEG', { format: 'jpeg' }],
  ['WebP', { format: 'webp' }],
  ['PNG within 1280x720', { within: { width: 1280, height: 720 } }],
  ['WebP within 1280x720', { format: 'webp', within: { width: 1280, height: 720 } }],
  ['PNG of 800x400', { region: { x: 400, y: 200, width: 800, height: 400 } }],
];

/** Pictures of a workbench at 1920x1080, from the call to the bytes in this process; sizes in KB. */
export async function screenshot(signal: AbortSignal): Promise<void> {
  await using node = await createLocalNode({ signal });
  await using sandbox = await node.start(
    { name: 'bench', role: 'ide', seeds: [], keep: false, display: defaultDisplay, limits: defaultLimits },
    { signal },
  );
  await sandbox.ready({ signal });
  using seed = new SeedDesign(join(runFolder, sandbox.id, 'desk', 'X1'));
  const other = summarise(await measure(rounds.seed, () => seed.screenshot()));
  const capture = await ofChanged(sandbox, async () => (await sandbox.capture({ signal })).bytes, signal);
  const rows: Row[] = [{ what: `observation, ${capture.kb} KB`, own: capture.times, seed: other }];
  for (const [what, view] of views) {
    const { times, kb } = await ofChanged(
      sandbox,
      async () => (await sandbox.picture({ ...view, signal })).bytes,
      signal,
    );
    rows.push({ what: `${what}, ${kb} KB`, own: times, seed: other });
  }
  const still = summarise(await measure(rounds.own, () => sandbox.capture({ signal })));
  rows.push({ what: 'observation, nothing changed', own: still, seed: other });
  process.stdout.write(`${renderTable(rows)}\n`);
}

async function ofChanged(
  sandbox: Sandbox,
  take: () => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<{ readonly times: Summary; readonly kb: number }> {
  const times: number[] = [];
  let bytes = 0;
  for (let i = 0; i < rounds.own; i += 1) {
    await sandbox.input(inputOf(`xdotool mousemove ${100 + i * 7} ${200 + i * 5}`), { signal });
    const begin = performance.now();
    bytes = (await take()).length;
    times.push(performance.now() - begin);
  }
  return { times: summarise(times), kb: Math.round(bytes / 1000) };
}
