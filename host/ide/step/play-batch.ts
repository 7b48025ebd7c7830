import type { Sandbox } from '../../node/index.ts';
import { type Action, type ActionPlan, compileAction, type TriedAction } from '../actions/index.ts';
import { type ActionOutcome, type Evidence, type EvidenceRequest, whyAstray } from '../effect/index.ts';
import { type EvidenceReader, lookBetween, makeEvidenceReader, planEvidence } from './evidence-looks.ts';
import { performAction, releaseHeldInput, type SeenObservations } from './perform-action.ts';

/** A batch that was played, and what is needed to judge it when the IDE is at rest. */
export interface PlayedBatch {
  readonly tried: readonly TriedWithEvidence[];
  readonly skipped: readonly Action[];
  /** The outcomes if an action can't be read: then none was tried. */
  readonly refused: readonly ActionOutcome[];
  /** Why the batch was stopped: the next action would have gone astray. Undefined if it was not. */
  readonly astray: string | undefined;
  /** Milliseconds of playing alone, without the looks between actions. */
  readonly actMs: number;
  /** The display or the window was lost meanwhile. */
  readonly lost: boolean;
  /** Nothing but the pointer was moved. */
  readonly pointerOnly: boolean;
  /** The look before the first action; undefined if none was played. */
  readonly first: Evidence | undefined;
  /** What each look reads. */
  readonly request: EvidenceRequest;
}

/** An action that was tried, and what was seen before it. */
export interface TriedWithEvidence {
  readonly act: TriedAction;
  readonly before: Evidence;
}

interface BatchOptions {
  /** Continue even if typed text did not land, or a click did not focus what it hit. */
  readonly force: boolean;
  /** Whether the next action by mouse or keyboard is not to be played; asked once for each. */
  readonly suppresses: () => boolean;
}

/** Before a batch is stopped, the IDE has this many milliseconds to settle: its answer may be late. */
const lateMs = 2000;

/**
 * Plays actions in order. All are read before the first is played: if one can't be, none is. Before and between them, it
 * looks at what they may change. Stops at the first that is refused, in which the display was lost, or after which the
 * next would go astray. Keys and buttons are released if the batch does not reach its end. An action that found no window
 * is done again, once, when the window is back: nothing of it had been played.
 * @param seen the observations that the agent's marks and coordinates are taken from
 * @param comeBack waits until every part of the desktop is ready
 */
export async function playBatch(
  sandbox: Sandbox,
  actions: readonly (string | Action)[],
  seen: SeenObservations,
  comeBack: () => Promise<void>,
  { force, suppresses }: BatchOptions,
  signal: AbortSignal,
): Promise<PlayedBatch> {
  const { last } = seen;
  const sight = { screen: { x: 0, y: 0, ...sandbox.display }, view: last?.screen.view };
  const plans = actions.map((action) => compileAction(action, sight));
  const unread = plans.findIndex(({ kind }) => kind === 'refused');
  if (unread >= 0) return refuseBatch(plans, unread);
  const request = await planEvidence(sandbox, plans, seen, signal);
  const look = makeEvidenceReader(sandbox, request, signal);
  const first = await look({ pointer: last?.screen.pointer, changed: null });
  const done: TriedWithEvidence[] = [];
  let [before, lookMs] = [first, 0];
  let astray: string | undefined;
  const start = performance.now();
  try {
    for (const planned of plans) {
      const plan = isInputPlan(planned) && suppresses() ? { ...planned, suppressed: true } : planned;
      const known = { page: before.page, midway: done.length + 1 < plans.length };
      let act = await performAction(sandbox, plan, seen, known, signal);
      if (act.kind === 'absent') {
        await comeBack();
        act = await performAction(sandbox, plan, seen, known, signal);
      }
      done.push({ act, before });
      if (endsBatch(act) || done.length === plans.length) break;
      const begin = performance.now();
      const textFollows = plans.slice(done.length).some(typesText);
      let after = await lookBetween(sandbox, { act, before, look, textFollows }, signal);
      if (!force && whyAstray(act, { before, after }) !== undefined) {
        after = await lookAtRest(sandbox, look, signal);
        astray = whyAstray(act, { before, after });
      }
      before = after;
      lookMs += performance.now() - begin;
      if (astray !== undefined) break;
    }
  } catch (error) {
    await releaseHeldInput(sandbox, plans).catch(() => undefined);
    throw error;
  }
  const end = done.at(-1)?.act.kind;
  if (end === 'refused' || end === 'absent' || astray !== undefined) await releaseHeldInput(sandbox, plans);
  return {
    tried: done,
    skipped: plans.slice(done.length).map(({ action }) => action),
    refused: [],
    astray,
    actMs: performance.now() - start - lookMs,
    lost: done.some(({ act }) => act.kind === 'lost'),
    pointerOnly: done.length > 0 && done.every(({ act }) => act.kind === 'played' && act.intent.pointerOnly),
    first,
    request,
  };
}

/** No action is played if a later one can't be: it would not lead anywhere. */
function refuseBatch(plans: readonly ActionPlan[], unread: number): PlayedBatch {
  const refused = plans.slice(0, unread + 1).map(({ action, ...plan }, i): ActionOutcome => {
    const outcome = { action, effect: 'refused', output: undefined } as const;
    if (i === unread && plan.kind === 'refused') return { ...outcome, evidence: plan.why };
    const evidence = `not played: action ${unread + 1} of the batch is refused`;
    return { ...outcome, evidence, untried: true };
  });
  return {
    tried: [],
    skipped: plans.slice(unread + 1).map(({ action }) => action),
    refused,
    astray: undefined,
    actMs: 0,
    lost: false,
    pointerOnly: false,
    first: undefined,
    request: { text: false, points: [] },
  };
}

function isInputPlan(plan: ActionPlan): plan is Extract<ActionPlan, { kind: 'input' | 'mark' }> {
  return plan.kind === 'input' || plan.kind === 'mark';
}

function typesText(plan: ActionPlan): boolean {
  if (plan.kind === 'mark') return plan.act.verb === 'type';
  return plan.kind === 'input' && plan.intent.typed !== '';
}

async function lookAtRest(sandbox: Sandbox, look: EvidenceReader, signal: AbortSignal): Promise<Evidence> {
  await sandbox.settle({ capMs: lateMs, pointerOnly: false, signal });
  return look();
}

function endsBatch({ kind }: TriedAction): boolean {
  return kind === 'refused' || kind === 'absent' || kind === 'lost';
}
