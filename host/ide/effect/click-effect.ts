import type { Pressed } from '../../../bridge/protocol/index.ts';
import type { InputIntent } from '../actions/index.ts';
import { describeStateChange, joinEvidence, quoteShort } from './evidence-words.ts';
import type { Evidence, EvidenceAround, Judgement } from './evidence.ts';
import { compareEvidence } from './seen-changes.ts';

/** A click on one of these is meant to tick it, or to remove the tick. */
const tickedRoles = new Set(['checkbox', 'switch', 'menuitemcheckbox']);
/** A click on one of these is meant to choose it. */
const chosenRoles = new Set(['tab', 'option', 'treeitem', 'listitem', 'row', 'radio', 'menuitemradio']);

/**
 * Judges a click by its target: whether that has the keyboard, is ticked, open or chosen. This may hold at once and no
 * longer after the rest of the batch, which moves the focus on; or only then, if VS Code takes its time. A tick counts
 * as it is in the end: VS Code reverts it if it can't write the setting.
 * @returns undefined where that says nothing, e.g. about a button, whose command may do anything
 */
export function judgeClick({ clicks, together }: InputIntent, around: EvidenceAround): Judgement | undefined {
  const press = clicks ? newPress(around) : undefined;
  if (!press) return undefined;
  const judged = judgeNew(press, around);
  if (together === 1 || press.clicks !== 1) return judged;
  const evidence = `VS Code took the ${together} clicks for single ones`;
  return { effect: 'unverifiable', evidence: joinEvidence([...(judged ? [judged.evidence] : []), evidence]) };
}

function judgeNew(press: Pressed, around: EvidenceAround): Judgement | undefined {
  const last = latestPress(press, around) ?? press;
  const soon = tickedRoles.has(press.role) ? undefined : judgePressed(press, around);
  return soon?.effect === 'confirmed' ? soon : judgePressed(last, around);
}

function judgePressed(
  { role, name, text, before, now }: Pressed,
  around: EvidenceAround,
): Judgement | undefined {
  if (!now) return undefined;
  const what = `${role} ${quoteShort(name)}`;
  const became = describeStateChange(before, now);
  if (became !== '') return confirmClick(around, `${what} is now ${became}`);
  if (text && now.focused) return confirmClick(around, `focus is in ${what}`);
  if (text) return missClick(around, `focus is not in ${what}`);
  if (tickedRoles.has(role))
    return missClick(around, `${what} is still ${now.checked ? 'checked' : 'not checked'}`);
  if (chosenRoles.has(role) && (now.focused || now.selected))
    return confirmClick(around, `${what} ${now.selected ? 'is selected' : 'has the focus'}`);
  const { beyondFocus } = compareEvidence(around.before, around.after);
  if (now.focused && !before.focused && beyondFocus.length === 0)
    return { effect: 'unverifiable', evidence: `${what} has the focus; what it did is not seen` };
  return undefined;
}

/** Whether a click hit nothing that the page has a role for: what it was meant to do is not known. */
export function hitNothing({ clicks }: InputIntent, around: EvidenceAround): boolean {
  return clicks && around.after.page !== undefined && newPress(around) === undefined;
}

/** Why a click on something for text did not give it the keyboard; undefined if it did, or hit something else. */
export function judgePress({ clicks }: InputIntent, around: EvidenceAround): string | undefined {
  const press = clicks ? newPress(around) : undefined;
  if (!press?.text || !press.now || press.now.focused) return undefined;
  return `focus is not in ${press.role} ${quoteShort(press.name)}`;
}

/** The outcome follows; the move of the focus is already named. */
function confirmClick({ before, after }: EvidenceAround, evidence: string): Judgement {
  const rest = compareEvidence(before, after).seen.filter((change) => !change.startsWith('focus moved'));
  return { effect: 'confirmed', evidence: joinEvidence([evidence, ...rest]) };
}

/**
 * Another change proves neither success nor failure. The analysis of studies recognises a missed click by the words of
 * its evidence.
 */
function missClick({ before, after }: EvidenceAround, evidence: string): Judgement {
  const { seen, screen } = compareEvidence(before, after);
  if (seen.length === 0 && !screen) return { effect: 'no-effect', evidence };
  return { effect: 'unverifiable', evidence: joinEvidence([evidence, ...seen]) };
}

/** The press of this action, as it was seen right after it. */
function newPress({ before, after }: EvidenceAround): Pressed | undefined {
  const press = pressIn(after);
  return press && press.count !== (pressIn(before)?.count ?? 0) ? press : undefined;
}

/** The same press as it is at the end of its batch; undefined if another one came since. */
function latestPress(press: Pressed, { batch }: EvidenceAround): Pressed | undefined {
  const last = batch && pressIn(batch.after);
  return last?.count === press.count ? last : undefined;
}

function pressIn({ page }: Evidence): Pressed | undefined {
  return page?.pressed ?? undefined;
}
