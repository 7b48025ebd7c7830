import { fileURLToPath } from 'node:url';
import { Session, type Effect, type Observation } from '../host/env/index.ts';
import { packFolder, planFolder } from '../host/lib/index.ts';
import { createLocalNode, defaultDisplay, defaultLimits, type Sandbox } from '../host/node/index.ts';
import { effectCases, ownFiles, type EffectCase } from './effects/corpus.ts';
import { readTruth } from './effects/truth.ts';

/** Longer than a session's: a shared machine must not decide what is right. */
const capMs = 15_000;

interface Found {
  readonly effect: Effect;
  readonly happened: boolean;
}

/**
 * Plays actions of which VS Code's own files and tabs show what they did, and compares the effects that the steps
 * report: how often each is right, and how often it is found.
 */
export async function effects(signal: AbortSignal): Promise<void> {
  await using node = await createLocalNode({ signal });
  const plan = await planFolder(fileURLToPath(new URL('./settle/workspace', import.meta.url)));
  const seeds = [{ path: '/workspace', tar: packFolder(plan) }];
  await using sandbox = await node.start(
    { name: 'bench', role: 'ide', seeds, keep: false, display: defaultDisplay, limits: defaultLimits },
    { signal },
  );
  await sandbox.ready({ signal });
  using session = new Session(sandbox, { settleCapMs: capMs });
  await session.settle({ signal });
  await sandbox.exec(
    { argv: ['sh', '-c', ownFiles], cwd: '/workspace', env: {}, timeoutMs: 10_000, maxOutputBytes: 1000 },
    { signal },
  );
  const all: Found[] = [];
  for (const one of effectCases) all.push(await judgeOne(sandbox, session, one, signal));
  console.log(summaryOf(all));
}

async function judgeOne(
  sandbox: Sandbox,
  session: Session,
  { name, first = [], act, proof = [], late = false, ...rest }: EffectCase,
  signal: AbortSignal,
): Promise<Found> {
  for (const line of first) await session.step(line, { signal });
  const before = await readTruth(sandbox, signal);
  const line = typeof act === 'string' ? act : lineFor(await session.observe({ signal }), act.click);
  const { info } = await session.step(line, { signal });
  for (const after of proof) await session.step(after, { signal });
  if (late) await session.flush({ signal });
  const [outcome] = info.outcomes;
  const found = {
    effect: outcome?.effect ?? 'refused',
    happened: rest.happened(await readTruth(sandbox, signal), before),
  };
  const wrong = isWrong(found) ? '  WRONG' : '';
  const truth = found.happened ? 'happened' : 'did not happen';
  console.log(`${name.padEnd(34)} ${truth.padEnd(15)} ${found.effect}: ${outcome?.evidence ?? ''}${wrong}`);
  return found;
}

/** Said with certainty, and not so. */
function isWrong({ effect, happened }: Found): boolean {
  return effect === 'confirmed' ? !happened : happened && (effect === 'no-effect' || effect === 'partial');
}

function lineFor({ marks }: Observation, { role, name }: { role: string; name: RegExp }): string {
  const mark = marks.find((one) => one.role === role && name.test(one.name));
  return `click [${mark?.id ?? 0}]`;
}

function summaryOf(all: readonly Found[]): string {
  const share = (part: number, of: number) => (of === 0 ? '-' : `${((part / of) * 100).toFixed(1)} %`);
  const row = (names: readonly Effect[], truth: boolean) => {
    const said = all.filter(({ effect }) => names.includes(effect));
    const actual = all.filter(({ happened }) => happened === truth);
    const both = said.filter(({ happened }) => happened === truth).length;
    const wrong = said.length - both;
    return `${names.join(', ')}: said ${said.length}, wrong ${wrong} (${share(wrong, said.length)}); precision ${share(both, said.length)}, recall ${share(both, actual.length)} of ${actual.length}`;
  };
  const count = (name: Effect, truth: boolean) =>
    all.filter(({ effect, happened }) => effect === name && happened === truth).length;
  const open = (['unverifiable', 'refused'] as const).map(
    (name) => `${name}: ${count(name, true)} that happened, ${count(name, false)} that did not`,
  );
  return [row(['confirmed'], true), row(['no-effect', 'partial'], false), ...open, `of ${all.length}`].join(
    '\n',
  );
}
