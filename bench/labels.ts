import sharp from 'sharp';
import { dom, shell } from '../bridge/protocol/index.ts';
import { callTool, Session } from '../host/ide/index.ts';
import { drawLabels } from '../host/ide/mark-labels/annotate.ts';
import { createLocalNode, defaultLimits, type Display, type Node, type Sandbox } from '../host/node/index.ts';
import { checkLabels, foreignOf, type LabelCounts, sum } from './labels/check.ts';
import { files, type LabelScreen, screens } from './labels/screens.ts';

/** Numbers begin here, so that all have three digits, as after some steps of an episode. */
const first = 150;

/** Screens of people and of models. */
const sizes = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
] as const;

interface Measured {
  readonly counts: LabelCounts;
  /** Labels that are mistaken for another element's, by role and name. */
  readonly foreign: readonly string[];
}

/**
 * Whether each number in the annotated picture can be read and is found at its element, on 20 screens of a real
 * workbench in three sizes. Everything is read back from the picture that was drawn.
 */
export async function labels(signal: AbortSignal): Promise<void> {
  await using node = await createLocalNode({ signal });
  for (const size of sizes) await ofSize(node, size, signal);
}

async function ofSize(node: Node, display: Display, signal: AbortSignal): Promise<void> {
  const spec = { name: 'bench', role: 'ide', seeds: [], keep: false } as const;
  await using sandbox = await node.start({ ...spec, display, limits: defaultLimits }, { signal });
  await sandbox.ready({ signal });
  await sandbox.call(shell.run, { command: files }, { signal });
  await sandbox.call(dom.renumber, { observation: 0, mark: first }, { signal });
  using session = new Session(sandbox, { settleCapMs: 10_000 });
  const rows: [string, LabelCounts][] = [];
  const foreign: string[] = [];
  for (const screen of screens) {
    const one = await measured(sandbox, session, screen, signal);
    rows.push([screen.name, one.counts]);
    foreign.push(...one.foreign.map((name) => `foreign on '${screen.name}': ${name}`));
  }
  rows.push([`all at ${display.width}x${display.height}`, sum(rows.map(([, counts]) => counts))]);
  process.stdout.write(`${[table(rows), ...foreign].join('\n')}\n\n`);
}

async function measured(
  sandbox: Sandbox,
  session: Session,
  { settings = {}, steps, close = [] }: LabelScreen,
  signal: AbortSignal,
): Promise<Measured> {
  for (const [key, value] of Object.entries(settings)) {
    const call = { name: 'set_setting', arguments: { key, value, scope: 'user' } };
    await callTool(sandbox, call, { signal });
  }
  for (const line of steps) await session.step(`xdotool ${line}`, { signal });
  const { screen, marks } = await session.observe({ signal });
  const { data, info } = await sharp(screen.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const before = Uint8Array.from(data);
  const placed = drawLabels(data, info, marks);
  for (const line of close) await session.step(`xdotool ${line}`, { signal });
  const counts = checkLabels({ before, after: data, ...info }, placed, marks);
  const ids = new Set(foreignOf(placed).map(({ id }) => id));
  const foreign = marks.filter(({ id }) => ids.has(id)).map(({ role, name }) => `${role} "${name}"`);
  return { counts, foreign };
}

function table(rows: readonly [string, LabelCounts][]): string {
  const names = Object.keys(rows[0]?.[1] ?? {}) as (keyof LabelCounts)[];
  const cells = [
    ['', ...names],
    ...rows.map(([name, counts]) => [name, ...names.map((key) => String(counts[key]))]),
  ];
  const widths = cells[0]?.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0))) ?? [];
  const padded = (cell: string, i: number) =>
    i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0);
  return cells.map((row) => row.map(padded).join('   ')).join('\n');
}
