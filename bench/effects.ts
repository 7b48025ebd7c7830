import { fileURLToPath } from 'node:url';
import { describeError } from '../bridge/lib/index.ts';
import { type Effect, Session } from '../host/ide/index.ts';
import { packFolder, planFolder } from '../host/lib/index.ts';
import { createLocalNode, defaultDisplay, defaultLimits, type Sandbox } from '../host/node/index.ts';
import type { CaseAct, EffectCase } from './effects/cases/case.ts';
import { effectCases, ownFiles } from './effects/corpus.ts';
import { readTruth } from './effects/truth.ts';

/** Longer than a session's: load on a shared machine must not decide what is right. */
const capMs = 15_000;

interface Found {
  readonly effect: Effect;
  readonly happened: boolean;
}

/**
 * Plays actions whose results VS Code's own files and tabs show, and compares these with the effects that the steps
 * report: how often each effect is right, and how often it is found.
 */
export async function effects(signal: AbortSignal): Promise<void> {
  await playCases(effectCases, signal);
}

export async function playCases(cases: readonly EffectCase[], signal: AbortSignal): Promise<void> {
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
  let broken = 0;
  for (const one of cases) {
    try {
      all.push(await judgeOne(sandbox, session, one, signal));
    } catch (error) {
      signal.throwIfAborted();
      broken += 1;
      console.log(`${one.name.padEnd(34)} BROKEN ${describeError(error).slice(0, 1000)}`);
    }
  }
  console.log(summaryOf(all));
  if (broken > 0) console.log(`${broken} could not be played: they are not counted`);
}

async function judgeOne(
  sandbox: Sandbox,
  session: Session,
  { name, first = [], act, proof = [], late = false, ...rest }: EffectCase,
  signal: AbortSignal,
): Promise<Found> {
  for (const one of first) await session.step(await lineOf(session, one, signal), { signal });
  const before = await readTruth(sandbox, signal);
  const { info } = await session.step(await lineOf(session, act, signal), { signal });
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

/** Reported with certainty, but wrong. */
function isWrong({ effect, happened }: Found): boolean {
  return effect === 'confirmed' ? !happened : happened && (effect === 'no-effect' || effect === 'partial');
}

async function lineOf(session: Session, act: CaseAct, signal: AbortSignal): Promise<string> {
  if (typeof act === 'string') return act;
  const { verb = 'click', click } = act;
  const { marks } = await session.observe({ signal });
  const mark = marks.find(({ role, name }) => role === click.role && click.name.test(name));
  if (!mark)
    throw new Error(
      `no ${click.role} ${click.name}: ${marks.map((one) => `${one.role} ${one.name}`).join(' | ')}`,
    );
  return `${verb} [${mark.id}]`;
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
