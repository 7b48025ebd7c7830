import type { Box } from '../../../bridge/protocol/index.ts';
import type { Act, Intent } from '../actions/index.ts';
import { chordOf } from './chord.ts';
import { changesOf, type Changes } from './changes.ts';
import { hitNothing, judgeClick } from './click.ts';
import { pointKey, type Around, type Evidence } from './evidence.ts';
import { eventsOf, newsOf, stillRunning } from './news.ts';
import { scrolledBy } from './scroll.ts';
import { judgeSave } from './saved.ts';
import { judgeFilled, judgeText } from './text.ts';
import type { ActionOutcome, Judged } from './types.ts';
import { joined, quoted } from './words.ts';

/** Judges one action by what was seen before and after it. */
export function effectOf(act: Act, around: Around): ActionOutcome {
  const { effect, evidence, typed } = judge(act, around);
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
      [...(act.kind === 'played' ? takenOf(around, evidence) : []), evidence].join('; ') + away + running,
    output: 'output' in act ? act.output : undefined,
    ...(typed && { typed }),
    ...(act.kind === 'answered' && resultOf(act)),
    ...(act.kind === 'played' && act.suppressed && { suppressed: true }),
  };
}

/** The entry of a list, as the command palette's, that Return took. A file that was opened is named by that. */
function takenOf({ before, after }: Around, evidence: string): string[] {
  if (evidence.startsWith('opened ')) return [];
  const [old, now] = [before.page?.accepted, after.page?.accepted];
  return now && before.page && now.count !== old?.count ? [`took ${quoted(now.name)}`] : [];
}

type Of<K extends Act['kind']> = Extract<Act, { kind: K }>;

function resultOf({ tool, zoom, shot }: Of<'answered'>): Pick<ActionOutcome, 'result' | 'images'> {
  if (tool) return { result: tool.result, images: tool.images };
  const image = zoom?.image ?? shot;
  return image ? { images: [image] } : {};
}

function judge(act: Act, around: Around): Judged {
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

function judgePlayed(act: Of<'played'>, around: Around): Judged {
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
function withNews(judged: Judged, { before, after }: Around): Judged {
  const news = newsOf(before, after);
  const isSet = eventsOf(before, after).some(({ what }) => what === 'setting');
  if (judged.effect === 'no-effect' && isSet) return { effect: 'confirmed', evidence: joined(news) };
  return { ...judged, evidence: joined([judged.evidence, ...news]) };
}

/** A click on nothing, as beside a dialog, may well move the focus. A dialog may have kept a key from its command. */
function judgeOther(intent: Intent, around: Around): Judged {
  const changes = judgeChanges(around, intent);
  const judged = judgeSave(intent, around, changes) ?? changes;
  const modal = around.after.page?.modal;
  // The page may also change by itself.
  const isSeen = judged.effect === 'confirmed' || Boolean(around.after.changed);
  if (!isSeen && intent.commands && typeof modal === 'string')
    return {
      ...judged,
      evidence: `${judged.evidence}: ${quoted(modal)} lies over the window and takes the keys`,
    };
  if (judged.effect !== 'confirmed' || !hitNothing(intent, around)) return judged;
  if (newsOf(around.before, around.after).length > 0) return judged;
  return { effect: 'unverifiable', evidence: joined(['it hit nothing that has a role', judged.evidence]) };
}

function judgeUnread(around: Around): Judged {
  const judged = judgeChanges(around);
  if (judged.effect === 'no-effect') return judged;
  return { effect: 'unverifiable', evidence: `${judged.evidence}; ${whyUnread(around)}` };
}

function whyUnread({ before, after }: Around): string {
  if (!after.page) return 'the page does not answer: its text may still be arriving';
  if (!before.page) return 'the page did not answer before: what is new in it is unknown';
  if (after.editor?.truncated) return 'the document is too long to be compared';
  return 'where the text went can not be read back';
}

function judgeChanges({ before, after, batch }: Around, intent?: Intent): Judged {
  const { seen, beside, screen, page } = changesOf(before, after, intent);
  // The picture shows the whole batch, so it says nothing about one action among others.
  const drawn = [...beside, ...(screen && !batch ? [`screen changed in ${describe(screen)}`] : [])];
  if (seen.length === 0 && chordOf(before, after) === 'unknown')
    return { effect: 'no-effect', evidence: 'VS Code says that these keys together are not a command' };
  if (seen.length > 0) return { effect: 'confirmed', evidence: joined([...seen, ...drawn]) };
  // Something changed, but whether it is what was meant can't be known.
  if (drawn.length > 0) return { effect: 'unverifiable', evidence: drawn.join('; ') };
  if (screen === undefined && page > 0)
    return { effect: 'unverifiable', evidence: `${page} changes of the page before the next action` };
  if (batch) return judgeInBatch(changesOf(batch.before, batch.after));
  if (page > 0)
    return { effect: 'unverifiable', evidence: `${page} changes of the page, none of them visible` };
  const nothing = 'neither the screen nor the focus changed';
  // A program in a terminal need not show what it reads.
  return { effect: stillRunning(after).length > 0 ? 'unverifiable' : 'no-effect', evidence: nothing };
}

function judgeInBatch({ seen, screen }: Changes): Judged {
  if (seen.length === 0 && !screen)
    return { effect: 'no-effect', evidence: 'the whole batch changed neither the screen nor the focus' };
  const whole = [...seen, ...(screen ? [`screen changed in ${describe(screen)}`] : [])];
  return { effect: 'unverifiable', evidence: `nothing is seen of it alone; of the batch: ${joined(whole)}` };
}

/** Turning the wheel is judged by how far things are scrolled, if that is known. */
function judgeScroll({ wheel, point }: Intent, around: Around): Judged | undefined {
  if (!wheel) return undefined;
  const place = point ?? around.before.pointer;
  const at = place && pointKey(place);
  const [from, to] = [around.before, around.after].map((evidence) => evidence.scroll.get(at ?? ''));
  if (from === undefined || to === undefined) return undefined;
  if (from !== to) {
    const { seen } = changesOf(around.before, around.after);
    return { effect: 'confirmed', evidence: joined([scrolledBy(from, to), ...seen]) };
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

function judgePointer({ intent: { motion }, pointer }: Of<'played'>, around: Around): Judged {
  const { changed } = around.after;
  const shown = changed && !around.batch ? `; screen changed in ${describe(changed)}` : '';
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

function describe({ x, y, width, height }: Box): string {
  return `${width}x${height} at (${x}, ${y})`;
}
