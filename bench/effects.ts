import { fileURLToPath } from 'node:url';
import { Session, type Effect, type Observation } from '../host/env/index.ts';
import { packFolder, planFolder } from '../host/lib/index.ts';
import { createLocalNode, defaultDisplay, defaultLimits, type Sandbox } from '../host/node/index.ts';
import { effectCases, type EffectCase } from './effects/corpus.ts';
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
  const all: Found[] = [];
  for (const one of effectCases) all.push(await judgeOne(sandbox, session, one, signal));
  console.log(summaryOf(all));
}

async function judgeOne(
  sandbox: Sandbox,
  session: Session,
  { name, first = [], act, proof = [], ...rest }: EffectCase,
  signal: AbortSignal,
): Promise<Found> {
  for (const line of first) await session.step(line, { signal });
  const before = await readTruth(sandbox, signal);
  const line = typeof act === 'string' ? act : lineFor(await session.observe({ signal }), act.click);
  const { info } = await session.step(line, { signal });
  for (const after of proof) await session.step(after, { signal });
  await session.flush({ signal });
  const [outcome] = info.outcomes;
  const found = {
    effect: outcome?.effect ?? 'refused',
    happened: rest.happened(await readTruth(sandbox, signal), before),
  };
  const wrong = found.effect === (found.happened ? 'no-effect' : 'confirmed') ? '  WRONG' : '';
  const truth = found.happened ? 'happened' : 'did not happen';
  console.log(`${name.padEnd(34)} ${truth.padEnd(15)} ${found.effect}: ${outcome?.evidence ?? ''}${wrong}`);
  return found;
}

function lineFor({ marks }: Observation, { role, name }: { role: string; name: RegExp }): string {
  const mark = marks.find((one) => one.role === role && name.test(one.name));
  return `click [${mark?.id ?? 0}]`;
}

function summaryOf(all: readonly Found[]): string {
  const rate = (name: Effect, truth: boolean) => {
    const said = all.filter(({ effect }) => effect === name);
    const actual = all.filter(({ happened }) => happened === truth);
    const both = said.filter(({ happened }) => happened === truth).length;
    return `${name}: right ${both} of ${said.length}, found ${both} of ${actual.length}`;
  };
  const count = (name: Effect) => all.filter(({ effect }) => effect === name).length;
  return [
    rate('confirmed', true),
    rate('no-effect', false),
    `partial: ${count('partial')}, unverifiable: ${count('unverifiable')}, refused: ${count('refused')}, of ${all.length}`,
  ].join('\n');
}
