import { effect, type RecordedEffect } from '../../record/index.ts';
import { succeeded, type Call } from '../calls.ts';
import { zeros } from './zeros.ts';

/** The means of an action: mouse and keyboard; files and a shell, as the paper's APIs; the IDE's other tools. */
export const actionKinds = ['pixels', 'filesAndShell', 'ideTools', 'unreadable'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** Actions of an episode by kind and effect. */
export interface ActionFigures {
  readonly byEffect: Readonly<Record<RecordedEffect, number>>;
  readonly byKind: Readonly<Record<ActionKind, number>>;
  /** Actions that were not tried, since another of the step was refused. They are in no other figure. */
  readonly skipped: number;
  readonly failedCalls: number;
  /** Refused, because the mark is of an older observation or its element is gone. */
  readonly staleMarks: number;
  /** Clicks whose target did not get the keyboard, a tick or the selection, or that hit nothing with a role. */
  readonly missedClicks: number;
}

export class ActionTally {
  readonly #byEffect = zeros(effect.options);
  readonly #byKind = zeros(actionKinds);
  #skipped = 0;
  #failedCalls = 0;
  #staleMarks = 0;
  #missedClicks = 0;

  add(calls: readonly Call[]): void {
    for (const call of calls)
      if (call.outcome) this.#tried(call, call.outcome);
      else this.#skipped += 1;
  }

  get figures(): ActionFigures {
    return {
      byEffect: { ...this.#byEffect },
      byKind: { ...this.#byKind },
      ...{ skipped: this.#skipped, failedCalls: this.#failedCalls },
      ...{ staleMarks: this.#staleMarks, missedClicks: this.#missedClicks },
    };
  }

  #tried(call: Call, outcome: NonNullable<Call['outcome']>): void {
    this.#byEffect[outcome.effect] += 1;
    this.#byKind[kindOf(call, outcome.action.kind)] += 1;
    if (!succeeded(call)) this.#failedCalls += 1;
    if (outcome.action.kind === 'mark' && outcome.effect === 'refused' && stale.test(outcome.evidence))
      this.#staleMarks += 1;
    if (outcome.action.kind !== 'tool' && missed.test(outcome.evidence)) this.#missedClicks += 1;
  }
}

/** Matches the message of the bridge, the only source for this. */
const stale = /^mark \d+(,.* is of an older observation|: )/s;
/** Matches the evidence of the judge of clicks. */
const missed = /^(focus is not in \w+ "|it hit nothing that has a role|\w+ ".*" is still (not )?checked)/s;

function kindOf({ tool }: Call, kind: string): ActionKind {
  if (kind === 'unreadable') return 'unreadable';
  if (kind !== 'tool') return 'pixels';
  const family = tool?.tool.family;
  return family === 'files' || shells.has(tool?.tool.name ?? '') ? 'filesAndShell' : 'ideTools';
}

const shells = new Set(['shell', 'run_terminal_cmd']);
