import * as vscode from 'vscode';
import { raceSignal } from '../../../bridge/lib/index.ts';
import { agent, type AgentOutcome, type AgentStep, limits } from '../../../bridge/protocol/index.ts';
import type { Handlers } from '../../../bridge/rpc/index.ts';
import { makeTreeItem, type TreeRow } from './tree-row.ts';

/** The outcome of an action, worst first, as icons. */
const icons = [
  ['refused', 'error:testing.iconFailed'],
  ['no-effect', 'circle-slash:list.warningForeground'],
  ['partial', 'warning:list.warningForeground'],
  ['unverifiable', 'question'],
  ['confirmed', 'pass:testing.iconPassed'],
] as const satisfies readonly (readonly [AgentOutcome['effect'], string])[];

/** The steps as a tree, the newest first and open. */
export class StepsView implements vscode.TreeDataProvider<TreeRow> {
  readonly #steps: Steps;
  readonly onDidChangeTreeData: vscode.Event<void>;
  #newest: { readonly row: TreeRow | undefined; readonly step: AgentStep | undefined } | undefined;

  constructor(steps: Steps) {
    this.#steps = steps;
    this.onDidChangeTreeData = steps.onDidChange;
  }

  getTreeItem(row: TreeRow): vscode.TreeItem {
    return makeTreeItem(row);
  }

  getChildren(row?: TreeRow): TreeRow[] {
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

function stepRows(steps: readonly AgentStep[]): TreeRow[] {
  return steps.map((step, i) => stepRow(step, `${step.at} ${i}`, i === steps.length - 1)).reverse();
}

function stepRow(step: AgentStep, key: string, newest: boolean): TreeRow {
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
function outcomeRow(outcome: AgentOutcome): TreeRow {
  return {
    label: outcome.action,
    description: outcome.effect,
    icon: worstIcon([outcome]),
    rows: detailRows(outcome),
  };
}

function detailRows({ effect, evidence, explanation, tool }: AgentOutcome): TreeRow[] {
  return [
    { label: effect, description: evidence, tooltip: evidence, icon: 'search' },
    ...(explanation === null ? [] : [{ label: explanation, icon: 'comment' }]),
    ...(tool ? toolRows(tool) : []),
  ];
}

function toolRows({ arguments: given, result }: NonNullable<AgentOutcome['tool']>): TreeRow[] {
  const answer =
    result === '' ? [] : [{ label: 'result', description: result, tooltip: result, icon: 'output' }];
  return [{ label: 'arguments', description: given, tooltip: given, icon: 'json' }, ...answer];
}

/** The view that shows steps. */
interface StepsShown {
  readonly visible: boolean;
  description?: string;
}

/** The steps that the bridge has reported to this window, or in a person's own window those of its clients. */
export class Steps implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #read = new vscode.EventEmitter<AgentStep | undefined>();
  #view: StepsShown | undefined;
  #all: readonly AgentStep[] = [];
  #shown = false;

  readonly onDidChange = this.#changed.event;

  /** The oldest first. */
  get all(): readonly AgentStep[] {
    return this.#all;
  }

  /** Whether the bridge wants people to see them. */
  get shown(): boolean {
    return this.#shown;
  }

  /** Adds one. */
  add(step: AgentStep): void {
    this.#all = [...this.#all, step].slice(-limits.agentSteps);
    this.#changed.fire();
  }

  /** Sets the view that shows them. It has to report what it {@link hasRead}. */
  shownIn(view: StepsShown): void {
    this.#view = view;
  }

  /** Shows the state of agents in the view. @param state as people read it */
  setAgents(state: string): void {
    if (this.#view) this.#view.description = state === 'working' ? '' : `agents are ${state}`;
  }

  /** VS Code reads a view 200 ms after it has changed. @param newest the newest step that it has read, if any */
  hasRead(newest: AgentStep | undefined): void {
    this.#read.fire(newest);
  }

  /** Answers when the view, if it is visible, is about to be drawn: its change on the screen follows at once. */
  serve(handlers: Handlers): Handlers {
    return handlers.add(agent.follow, async ({ steps, whole, shown }, signal) => {
      this.#all = [...(whole ? [] : this.#all), ...steps].slice(-limits.agentSteps);
      this.#shown = shown;
      const visible = this.#view?.visible ?? false;
      using reading = visible ? this.#readingOf(this.#all.at(-1)) : undefined;
      this.#changed.fire();
      if (reading) await raceSignal(reading.done, signal);
      return { visible };
    });
  }

  /** Listens until it is disposed. */
  #readingOf(newest: AgentStep | undefined): Disposable & { readonly done: Promise<void> } {
    let listening: vscode.Disposable | undefined;
    const done = new Promise<void>((resolve) => {
      listening = this.#read.event((read) => {
        // A read of older steps: VS Code will read again.
        if (read === newest || this.#all.at(-1) !== newest) resolve();
      });
    });
    return { done, [Symbol.dispose]: () => void listening?.dispose() };
  }

  dispose(): void {
    this.#changed.dispose();
    this.#read.dispose();
  }
}
