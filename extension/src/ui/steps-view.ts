import type * as vscode from 'vscode';
import type { AgentOutcome, AgentStep } from '../../../bridge/protocol/index.ts';
import { treeItem, type Row } from './row.ts';
import type { Steps } from './steps.ts';

/** The outcome of an action, worst first, as icons. */
const icons = [
  ['refused', 'error:testing.iconFailed'],
  ['no-effect', 'circle-slash:list.warningForeground'],
  ['partial', 'warning:list.warningForeground'],
  ['unverifiable', 'question'],
  ['confirmed', 'pass:testing.iconPassed'],
] as const satisfies readonly (readonly [AgentOutcome['effect'], string])[];

/** The steps as a tree, the newest first and open. */
export class StepsView implements vscode.TreeDataProvider<Row> {
  readonly #steps: Steps;
  readonly onDidChangeTreeData: vscode.Event<void>;
  #newest: { readonly row: Row | undefined; readonly step: AgentStep | undefined } | undefined;

  constructor(steps: Steps) {
    this.#steps = steps;
    this.onDidChangeTreeData = steps.onDidChange;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return treeItem(row);
  }

  getChildren(row?: Row): Row[] {
    if (!row) {
      const rows = stepRows(this.#steps.all);
      this.#newest = { row: rows[0], step: this.#steps.all.at(-1) };
      if (rows.length === 0) this.#steps.hasRead(undefined);
      return rows;
    }
    // It is open, so its rows are requested last.
    if (row === this.#newest?.row) this.#steps.hasRead(this.#newest.step);
    return [...(row.rows ?? [])];
  }
}

function stepRows(steps: readonly AgentStep[]): Row[] {
  return steps.map((step, i) => stepRow(step, `${step.at} ${i}`, i === steps.length - 1)).reverse();
}

function stepRow(step: AgentStep, key: string, newest: boolean): Row {
  const { outcomes, omitted, skipped, by, settled, observation } = step;
  const [first] = outcomes;
  const more = outcomes.length + omitted - 1;
  const name = `${first?.action ?? 'looked'}${more > 0 ? ` and ${more} more` : ''}`;
  const time = new Date(step.at).toLocaleTimeString();
  return {
    // A step that is no longer the newest closes, unless a person has opened it since.
    id: `${key} ${newest ? 'newest' : ''}`,
    label: step.step === null ? name : `${step.step}  ${name}`,
    description: `${by}, ${time}`,
    tooltip: outcomes.map(({ action, effect, evidence }) => `${action}\n${effect}: ${evidence}`).join('\n\n'),
    icon: worstIcon(outcomes),
    open: newest,
    rows: [
      ...(first && more === 0 ? detailRows(first) : outcomes.map(outcomeRow)),
      ...(omitted > 0 ? [{ label: `${omitted} more actions`, icon: 'ellipsis' }] : []),
      ...(skipped > 0 ? [{ label: `not tried: ${skipped} later actions`, icon: 'debug-step-over' }] : []),
      ...(settled === null ? [] : [{ label: settled, icon: 'watch' }]),
      ...(observation === null ? [] : [{ label: observation, icon: 'eye' }]),
    ],
  };
}

function worstIcon(outcomes: readonly AgentOutcome[]): string {
  const found = icons.find(([effect]) => outcomes.some((one) => one.effect === effect));
  return found?.[1] ?? 'eye';
}

/** One of several actions. */
function outcomeRow(outcome: AgentOutcome): Row {
  return {
    label: outcome.action,
    description: outcome.effect,
    icon: worstIcon([outcome]),
    rows: detailRows(outcome),
  };
}

function detailRows({ effect, evidence, explanation, tool }: AgentOutcome): Row[] {
  return [
    { label: effect, description: evidence, tooltip: evidence, icon: 'search' },
    ...(explanation === null ? [] : [{ label: explanation, icon: 'comment' }]),
    ...(tool ? toolRows(tool) : []),
  ];
}

function toolRows({ arguments: given, result }: NonNullable<AgentOutcome['tool']>): Row[] {
  const answer =
    result === '' ? [] : [{ label: 'result', description: result, tooltip: result, icon: 'output' }];
  return [{ label: 'arguments', description: given, tooltip: given, icon: 'json' }, ...answer];
}
