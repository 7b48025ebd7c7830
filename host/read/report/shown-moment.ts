import { actionText } from '../../ide/index.ts';
import type { EventOf, RecordedOutcome } from '../../run/index.ts';
import { listCalls } from '../analysis/index.ts';
import { type ShownEdit, showEdit } from './recorded-changes.ts';
import { isFailingMoment, type ReportMoment } from './report-data.ts';

/** A call as pages show it. */
export interface ShownCall {
  readonly action: string;
  /** Null if it was not tried. */
  readonly outcome: RecordedOutcome | null;
  readonly edit: ShownEdit | null;
}

type StepEvent = EventOf<'step'>;

export interface ShownStep extends Pick<StepEvent, 'turn' | 'meanwhile' | 'services' | 'settled' | 'timing'> {
  /** From 1. */
  readonly number: number;
  readonly calls: readonly ShownCall[];
}

/** A moment as pages show it: plain data, which a server can send. */
export interface ShownMoment extends Omit<ReportMoment, 'step'> {
  readonly step: ShownStep | null;
  /** Whether it has an action that was not seen to succeed. */
  readonly isFailing: boolean;
}

export function showMoment(moment: ReportMoment): ShownMoment {
  const { step } = moment;
  return { ...moment, step: step && showStep(step), isFailing: isFailingMoment(moment) };
}

function showStep(step: StepEvent): ShownStep {
  const { step: number, turn, meanwhile, services, settled, timing } = step;
  const calls = listCalls(step).map((call) => ({
    action: actionText(call.action),
    outcome: call.outcome,
    edit: showEdit(call),
  }));
  return { number, turn, meanwhile, services, settled, timing, calls };
}
