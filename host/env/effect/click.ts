import type { Pressed } from '../../../bridge/protocol/index.ts';
import type { Intent } from '../actions/index.ts';
import { changesOf } from './changes.ts';
import type { Around, Evidence } from './evidence.ts';
import { stateChange } from './state-change.ts';
import type { Judged } from './types.ts';
import { joined, quoted } from './words.ts';

/** A click on one of these is meant to tick it, or to remove the tick. */
const ticked = new Set(['checkbox', 'switch', 'menuitemcheckbox']);
/** A click on one of these is meant to choose it. */
const chosen = new Set(['tab', 'option', 'treeitem', 'listitem', 'row', 'radio', 'menuitemradio']);

/**
 * Judges a click by its target: whether that has the keyboard, is ticked, open or chosen. This may hold at once and no
 * longer after the rest of the batch, which moves the focus on; or only then, if VS Code takes its time. A tick counts
 * as it is in the end: VS Code reverts it if it can't write the setting.
 * @returns undefined where that says nothing, e.g. about a button, whose command may do anything
 */
export function judgeClick({ clicks, together }: Intent, around: Around): Judged | undefined {
  const press = clicks ? newPress(around) : undefined;
  if (!press) return undefined;
  const judged = judgeNew(press, around);
  if (together === 1 || press.clicks !== 1) return judged;
  const evidence = `VS Code took the ${together} clicks for single ones`;
  return { effect: 'unverifiable', evidence: joined([...(judged ? [judged.evidence] : []), evidence]) };
}

function judgeNew(press: Pressed, around: Around): Judged | undefined {
  const last = latest(press, around) ?? press;
  const soon = ticked.has(press.role) ? undefined : judgePressed(press, around);
  return soon?.effect === 'confirmed' ? soon : judgePressed(last, around);
}

function judgePressed({ role, name, text, before, now }: Pressed, around: Around): Judged | undefined {
  if (!now) return undefined;
  const what = `${role} ${quoted(name)}`;
  const became = stateChange(before, now);
  if (became !== '') return confirmed(around, `${what} is now ${became}`);
  if (text && now.focused) return confirmed(around, `focus is in ${what}`);
  if (text) return missed(around, `focus is not in ${what}`);
  if (ticked.has(role)) return missed(around, `${what} is still ${now.checked ? 'checked' : 'not checked'}`);
  if (chosen.has(role) && (now.focused || now.selected))
    return confirmed(around, `${what} ${now.selected ? 'is selected' : 'has the focus'}`);
  const { beyondFocus } = changesOf(around.before, around.after);
  if (now.focused && !before.focused && beyondFocus.length === 0)
    return { effect: 'unverifiable', evidence: `${what} has the focus; what it did is not seen` };
  return undefined;
}

/** Whether a click hit nothing that the page has a role for: what it was meant to do is not known. */
export function hitNothing({ clicks }: Intent, around: Around): boolean {
  return clicks && around.after.page !== undefined && newPress(around) === undefined;
}

/** Why a click on something for text did not give it the keyboard; undefined if it did, or hit something else. */
export function judgePress({ clicks }: Intent, around: Around): string | undefined {
  const press = clicks ? newPress(around) : undefined;
  if (!press?.text || !press.now || press.now.focused) return undefined;
  return `focus is not in ${press.role} ${quoted(press.name)}`;
}

/** The outcome follows; the move of the focus is already named. */
function confirmed({ before, after }: Around, evidence: string): Judged {
  const rest = changesOf(before, after).seen.filter((change) => !change.startsWith('focus moved'));
  return { effect: 'confirmed', evidence: joined([evidence, ...rest]) };
}

/**
 * Another change proves neither success nor failure. The analysis of studies recognises a missed click by the words of
 * its evidence.
 */
function missed({ before, after }: Around, evidence: string): Judged {
  const { seen, screen } = changesOf(before, after);
  if (seen.length === 0 && !screen) return { effect: 'no-effect', evidence };
  return { effect: 'unverifiable', evidence: joined([evidence, ...seen]) };
}

/** The press of this action, as it was seen right after it. */
function newPress({ before, after }: Around): Pressed | undefined {
  const press = pressIn(after);
  return press && press.count !== (pressIn(before)?.count ?? 0) ? press : undefined;
}

/** The same press as it is at the end of its batch; undefined if another one came since. */
function latest(press: Pressed, { batch }: Around): Pressed | undefined {
  const last = batch && pressIn(batch.after);
  return last?.count === press.count ? last : undefined;
}

function pressIn({ page }: Evidence): Pressed | undefined {
  return page?.pressed ?? undefined;
}
