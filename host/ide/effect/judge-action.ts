import type { Box } from '../../../bridge/protocol/index.ts';
import type { InputIntent, TriedAction } from '../actions/index.ts';
import { hitNothing, judgeClick, judgePress } from './click-effect.ts';
import { describeScroll, fileName, joinEvidence, quoteShort } from './evidence-words.ts';
import {
  type ActionOutcome,
  type Evidence,
  type EvidenceAround,
  type Judgement,
  pointKey,
} from './evidence.ts';
import { collectNews, findEventsBetween, stillRunning } from './ide-events.ts';
import { compareEvidence, type EvidenceChanges, readChordState } from './seen-changes.ts';
import { judgeFilled, judgeText } from './text-effect.ts';

/** Judges one action by what was seen before and after it. */
export function judgeAction(act: TriedAction, around: EvidenceAround): ActionOutcome {
  const { effect, evidence, typed } = judgeTried(act, around);
  const away =
    act.kind === 'refused' || act.kind === 'absent' ? '' : whereFocusWent(around.before, around.after);
  const running =
    act.kind === 'played' && !act.intent.pointerOnly
      ? stillRunning(around.after)
          .map((words) => `; ${words}`)
          .join('')
      : '';
  return {
    action: act.action,
    effect,
    evidence:
      [...(act.kind === 'played' ? describeTaken(around, evidence) : []), evidence].join('; ') +
      away +
      running,
    output: 'output' in act ? act.output : undefined,
    ...(typed && { typed }),
    ...(act.kind === 'answered' && pickResult(act)),
    ...(act.kind === 'played' && act.suppressed && { suppressed: true }),
  };
}

/** The entry of a list, as the command palette's, that Return took. A file that was opened is named by that. */
function describeTaken({ before, after }: EvidenceAround, evidence: string): string[] {
  if (evidence.startsWith('opened ')) return [];
  const [old, now] = [before.page?.accepted, after.page?.accepted];
  return now && before.page && now.count !== old?.count ? [`took ${quoteShort(now.name)}`] : [];
}

type TriedOfKind<K extends TriedAction['kind']> = Extract<TriedAction, { kind: K }>;

function pickResult({ tool, zoom, shot }: TriedOfKind<'answered'>): Pick<ActionOutcome, 'result' | 'images'> {
  if (tool) return { result: tool.result, images: tool.images };
  const image = zoom?.image ?? shot;
  return image ? { images: [image] } : {};
}

function judgeTried(act: TriedAction, around: EvidenceAround): Judgement {
  switch (act.kind) {
    case 'refused':
    case 'absent':
      return { effect: 'refused', evidence: act.why };
    case 'lost':
      return { effect: 'unverifiable', evidence: act.why };
    case 'answered':
      return { effect: act.tool?.effect ?? 'confirmed', evidence: act.answer };
    case 'played':
      return judgePlayed(act, around);
  }
}

function judgePlayed(act: TriedOfKind<'played'>, around: EvidenceAround): Judgement {
  const { typed, onlyTypes, pointerOnly, fills } = act.intent;
  if (fills !== undefined) return withNews(judgeFilled(fills, around), around);
  if (typed !== '') {
    const judged = judgeText(typed, around.before, around.after, onlyTypes);
    return judged ? withNews(judged, around) : judgeUnread(around);
  }
  if (pointerOnly) return judgePointer(act, around);
  return judgeScroll(act.intent, around) ?? judgeClick(act.intent, around) ?? judgeOther(act.intent, around);
}

/** The outcome of typed text, e.g. a setting that was written. Its field may still show the former value. */
function withNews(judged: Judgement, { before, after }: EvidenceAround): Judgement {
  const news = collectNews(before, after);
  const isSet = findEventsBetween(before, after).some(({ what }) => what === 'setting');
  if (judged.effect === 'no-effect' && isSet) return { effect: 'confirmed', evidence: joinEvidence(news) };
  return { ...judged, evidence: joinEvidence([judged.evidence, ...news]) };
}

/** A click on nothing, as beside a dialog, may well move the focus. A dialog may have kept a key from its command. */
function judgeOther(intent: InputIntent, around: EvidenceAround): Judgement {
  const changes = judgeChanges(around, intent);
  const judged = judgeSave(intent, around, changes) ?? changes;
  const modal = around.after.page?.modal;
  // The page may also change by itself.
  const isSeen = judged.effect === 'confirmed' || Boolean(around.after.changed);
  if (!isSeen && intent.commands && typeof modal === 'string')
    return {
      ...judged,
      evidence: `${judged.evidence}: ${quoteShort(modal)} lies over the window and takes the keys`,
    };
  if (judged.effect !== 'confirmed' || !hitNothing(intent, around)) return judged;
  if (collectNews(around.before, around.after).length > 0) return judged;
  return {
    effect: 'unverifiable',
    evidence: joinEvidence(['it hit nothing that has a role', judged.evidence]),
  };
}

function judgeUnread(around: EvidenceAround): Judgement {
  const judged = judgeChanges(around);
  if (judged.effect === 'no-effect') return judged;
  return { effect: 'unverifiable', evidence: `${judged.evidence}; ${whyUnread(around)}` };
}

function whyUnread({ before, after }: EvidenceAround): string {
  if (!after.page) return 'the page does not answer: its text may still be arriving';
  if (!before.page) return 'the page did not answer before: what is new in it is unknown';
  if (after.editor?.truncated) return 'the document is too long to be compared';
  return 'where the text went can not be read back';
}

function judgeChanges({ before, after, batch }: EvidenceAround, intent?: InputIntent): Judgement {
  const { seen, beside, screen, page } = compareEvidence(before, after, intent);
  // The picture shows the whole batch, so it says nothing about one action among others.
  const drawn = [...beside, ...(screen && !batch ? [`screen changed in ${describeBox(screen)}`] : [])];
  if (seen.length === 0 && readChordState(before, after) === 'unknown')
    return { effect: 'no-effect', evidence: 'VS Code says that these keys together are not a command' };
  if (seen.length > 0) return { effect: 'confirmed', evidence: joinEvidence([...seen, ...drawn]) };
  // Something changed, but whether it is what was meant can't be known.
  if (drawn.length > 0) return { effect: 'unverifiable', evidence: drawn.join('; ') };
  if (screen === undefined && page > 0)
    return { effect: 'unverifiable', evidence: `${page} changes of the page before the next action` };
  if (batch) return judgeInBatch(compareEvidence(batch.before, batch.after));
  if (page > 0)
    return { effect: 'unverifiable', evidence: `${page} changes of the page, none of them visible` };
  const nothing = 'neither the screen nor the focus changed';
  // A program in a terminal need not show what it reads.
  return { effect: stillRunning(after).length > 0 ? 'unverifiable' : 'no-effect', evidence: nothing };
}

function judgeInBatch({ seen, screen }: EvidenceChanges): Judgement {
  if (seen.length === 0 && !screen)
    return { effect: 'no-effect', evidence: 'the whole batch changed neither the screen nor the focus' };
  const whole = [...seen, ...(screen ? [`screen changed in ${describeBox(screen)}`] : [])];
  return {
    effect: 'unverifiable',
    evidence: `nothing is seen of it alone; of the batch: ${joinEvidence(whole)}`,
  };
}

/** Turning the wheel is judged by how far things are scrolled, if that is known. */
function judgeScroll({ wheel, point }: InputIntent, around: EvidenceAround): Judgement | undefined {
  if (!wheel) return undefined;
  const place = point ?? around.before.pointer;
  const at = place && pointKey(place);
  const [from, to] = [around.before, around.after].map((evidence) => evidence.scroll.get(at ?? ''));
  if (from === undefined || to === undefined) return undefined;
  if (from !== to) {
    const { seen } = compareEvidence(around.before, around.after);
    return { effect: 'confirmed', evidence: joinEvidence([describeScroll(from, to), ...seen]) };
  }
  const rest = judgeChanges(around);
  const why =
    to === ''
      ? 'nothing here scrolls, as far as the page reports'
      : 'nothing was scrolled: perhaps it is at its end';
  return {
    effect: rest.effect === 'confirmed' ? 'unverifiable' : rest.effect,
    evidence: `${why}; ${rest.evidence}`,
  };
}

function judgePointer(
  { intent: { motion }, pointer }: TriedOfKind<'played'>,
  around: EvidenceAround,
): Judgement {
  const { changed } = around.after;
  const shown = changed && !around.batch ? `; screen changed in ${describeBox(changed)}` : '';
  const at = pointer ?? around.after.pointer;
  if (!motion) return { effect: 'confirmed', evidence: `nothing to change${shown}` };
  if (!at) return { effect: 'unverifiable', evidence: `pointer at an unknown place${shown}` };
  const place = `pointer at (${at.x}, ${at.y})`;
  if (motion.relative || (at.x === motion.x && at.y === motion.y))
    return { effect: 'confirmed', evidence: place + shown };
  return { effect: 'no-effect', evidence: `${place}, not at (${motion.x}, ${motion.y})` };
}

/** Says so when keys no longer go to the workbench. */
function whereFocusWent({ page: before }: Evidence, { page: after }: Evidence): string {
  if (!after || after.workbench || before?.workbench !== true || after.dialog) return '';
  return after.keyboard
    ? '; focus left the workbench'
    : "; focus left the workbench: a window or dialog of the browser's has the keyboard";
}

function describeBox({ x, y, width, height }: Box): string {
  return `${width}x${height} at (${x}, ${y})`;
}

/**
 * Judges the key that saves only by whether VS Code saved something: text that changes meanwhile comes from an earlier
 * action.
 * @param judged the judgement for any other key
 * @returns undefined for another key, or if no text editor is active
 */
function judgeSave(
  { saves }: InputIntent,
  { before, after }: EvidenceAround,
  judged: Judgement,
): Judgement | undefined {
  const [old, now] = [before.editor, after.editor];
  if (!saves || !old || !now || old.uri !== now.uri) return undefined;
  const isSaved =
    findEventsBetween(before, after).some(({ what }) => what === 'saved') || (old.dirty && !now.dirty);
  if (isSaved) return judged;
  const name = fileName(now.uri);
  const what = now.dirty ? `${name} is not saved` : `${name} had no changes to save`;
  const effect =
    judged.effect === 'confirmed' || judged.effect === 'partial' ? 'unverifiable' : judged.effect;
  return { ...judged, effect, evidence: joinEvidence([what, judged.evidence]) };
}

/**
 * Whether input after an action would go to the wrong place: its text did not land as it was sent, or its click did not
 * give the keyboard to the field, editor or terminal that it hit.
 * @returns why, e.g. `focus is not in textbox "README.md"`; undefined if all is well, or if that can't be known
 */
export function whyAstray(act: TriedAction, around: EvidenceAround): string | undefined {
  if (act.kind !== 'played') return undefined;
  const { intent } = act;
  if (intent.typed === '' && intent.fills === undefined) return judgePress(intent, around);
  const { effect } = judgeAction(act, around);
  return effect === 'partial' || effect === 'no-effect' ? 'the text did not land as it was sent' : undefined;
}
