import { createLocalNode, defaultDisplay, defaultLimits } from '../host/node/index.ts';
import { startOnFolder } from '../host/run/index.ts';
import { toolCases } from './tools/cases.ts';
import { Desk } from './tools/desk.ts';
import { judge, type Judged } from './tools/judge.ts';
import { agrees, renderJudged, sumsOf } from './tools/table.ts';
import { prepare, workspaceSeed } from './tools/workspace.ts';

/**
 * Tries each tool with right calls, whose answers are compared with an independent source, and with wrong ones, which
 * must be refused and change nothing. Rejects if anything disagrees.
 * @param asked names of tools; default: all
 */
export async function tools(signal: AbortSignal, asked?: readonly string[]): Promise<void> {
  const cases = toolCases.filter(({ tool }) => asked?.includes(tool.name) ?? true);
  await using node = await createLocalNode({ signal });
  const spec = {
    name: 'bench',
    role: 'ide',
    seeds: [await workspaceSeed()],
    keep: false,
    display: defaultDisplay,
    limits: defaultLimits,
  } as const;
  const { sandbox } = await startOnFolder(node, spec, { signal });
  await using owned = sandbox;
  void owned;
  const desk = new Desk(sandbox, signal);
  await prepare(desk);
  const all: Judged[] = [];
  for (const one of cases) {
    const judged = await judge(desk, one);
    all.push(judged);
    process.stderr.write(judged.verdicts.every(agrees) ? '.' : '!');
  }
  console.log(`\n${renderJudged(all)}\n\n${sumsOf(all)}`);
  if (!all.every(({ verdicts }) => verdicts.every(agrees)))
    throw new Error('some calls disagree with the truth');
}
