import * as vscode from 'vscode';
import type { AgentOutcome, AgentStep } from '../../../bridge/protocol/index.ts';
import { treeItem, type Row } from './row.ts';
import type { Steps } from './steps.ts';

/** What came of an action, worst first, as icons. */
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

  constructor(steps: Steps) {
    this.#steps = steps;
    this.onDidChangeTreeData = steps.onDidChange;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return treeItem(row);
  }

  getChildren(row?: Row): Row[] {
    return row ? [...(row.rows ?? [])] : stepRows(this.#steps.all);
  }
}

function stepRows(steps: readonly AgentStep[]): Row[] {
  return steps.toReversed().map((step, i) => stepRow(step, i === 0));
}

function stepRow(step: AgentStep, open: boolean): Row {
  const { outcomes, omitted, skipped, by, settled, observation } = step;
  const more = outcomes.length + omitted - 1;
  const first = outcomes[0]?.action ?? 'looked';
  const number = step.step === null ? 'tool' : String(step.step);
  return {
    label: `${number}  ${first}${more > 0 ? ` and ${more} more` : ''}`,
    description: `${by}, ${new Date(step.at).toLocaleTimeString()}`,
    icon: worstIcon(outcomes),
    open,
    rows: [
      ...outcomes.map(outcomeRow),
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

function outcomeRow(outcome: AgentOutcome): Row {
  const { action, effect, evidence, explanation, tool } = outcome;
  const why = explanation === null ? [] : [{ label: explanation, icon: 'comment' }];
  const rows = [...why, ...(tool ? toolRows(tool) : [])];
  return {
    label: action,
    description: `${effect}: ${evidence}`,
    tooltip: `${action}\n\n${effect}: ${evidence}`,
    icon: tool ? 'tools' : worstIcon([outcome]),
    ...(rows.length > 0 && { rows }),
  };
}

function toolRows({ arguments: given, result }: NonNullable<AgentOutcome['tool']>): Row[] {
  const answer =
    result === '' ? [] : [{ label: 'result', description: result, tooltip: result, icon: 'output' }];
  return [{ label: 'arguments', description: given, tooltip: given, icon: 'json' }, ...answer];
}
