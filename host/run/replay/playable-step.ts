import { describeError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { type Action, parseAction } from '../../ide/index.ts';
import type { EventOf, RecordedAction, RecordedMark } from '../record/index.ts';

/** A recorded moment, as it can be played now: the actions, and what is left out; or why it can't be played. */
export type Playable =
  { readonly actions: readonly Action[]; readonly notes: readonly string[] } | { readonly why: string };

/** The marks that the agent was shown when it acted, and those of now. */
interface ShownMarks {
  readonly then: readonly RecordedMark[];
  readonly now: readonly MarkIdentity[];
}

/**
 * The actions of a step that were played: not those that were refused, skipped or silently dropped. An agent's questions
 * to people are not asked again.
 */
export function playableStep({ outcomes }: EventOf<'step'>, shown: ShownMarks): Playable {
  const actions: Action[] = [];
  const notes: string[] = [];
  for (const { action, effect, suppressed } of outcomes) {
    if (effect === 'refused') continue;
    if (suppressed) {
      notes.push('an action was silently dropped then, and is not played');
      continue;
    }
    if (action.kind === 'ask') {
      notes.push(`people were asked ${JSON.stringify(clip(action.text, 80))} then, and are not asked again`);
      continue;
    }
    const found = translateAction(action, shown);
    if ('why' in found) return found;
    actions.push(found.action);
  }
  return { actions, notes };
}

/**
 * The acts of people by hand.
 * @param inView the agent sees a picture of another size: then lines are in its pixels, but those of people are not
 */
export function playablePeople({ acts }: EventOf<'people'>, inView: boolean): Playable {
  if (acts.length === 0)
    return { actions: [], notes: ['people had control; nothing that they did is recorded'] };
  const actions = acts.map(({ action }) => action);
  const secret = actions.find((line) => !line.startsWith('xdotool '));
  if (secret !== undefined) return { why: `people ${secret}, which is not recorded` };
  if (inView && actions.some((line) => line.includes('mousemove')))
    return { why: 'people used the mouse, and their places are in other pixels than those of the agent' };
  try {
    return { actions: actions.map((line) => parseAction(line)), notes: [] };
  } catch (error) {
    return { why: `what people did is not whole in the record: ${describeError(error)}` };
  }
}

function translateAction(
  action: RecordedAction,
  { then, now }: ShownMarks,
): { readonly action: Action } | { readonly why: string } {
  if (action.kind === 'tool' && isCutText(action.arguments))
    return { why: `the arguments of ${action.name} are not whole in the record` };
  if (action.kind !== 'mark') return { action };
  const mark = findSameMark(action.mark, then, now);
  if ('why' in mark) return mark;
  if (action.verb !== 'drag') return { action: { ...action, mark: mark.id } };
  const to = findSameMark(action.to, then, now);
  return 'why' in to ? to : { action: { ...action, mark: mark.id, to: to.id } };
}

/** A record cuts long texts of long arguments, and notes that at their end. */
function isCutText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > 20_000 && /… \(\d+ characters left out\)$/.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isCutText);
}

/** The parts of a mark that identify its element. */
type MarkIdentity = Pick<RecordedMark, 'id' | 'role' | 'name' | 'box'>;

type FoundMark = { readonly id: number } | { readonly why: string };

/**
 * The current mark for the element of a recorded mark: the same role and name, and the same place if several have both.
 * Its number is of no use: numbers are assigned again in each run.
 */
export function findSameMark(
  id: number,
  recorded: readonly MarkIdentity[],
  shown: readonly MarkIdentity[],
): FoundMark {
  const then = recorded.find((mark) => mark.id === id);
  if (!then) return { why: `the record does not say what mark [${id}] was` };
  const named = shown.filter((mark) => mark.role === then.role && mark.name === then.name);
  const [only, ...others] = named;
  const what = `${then.role} ${JSON.stringify(then.name)}`;
  if (!only) return { why: `mark [${id}] was the ${what}, which is not on the screen now` };
  // Without a name, only its place identifies it.
  if (others.length === 0 && then.name !== '') return { id: only.id };
  const there = named.filter(({ box }) => isSameBox(box, then.box));
  const [one] = there;
  if (one && there.length === 1) return { id: one.id };
  return { why: `mark [${id}] was the ${what}; of ${named.length} like it, none is surely the same` };
}

function isSameBox(a: MarkIdentity['box'], b: MarkIdentity['box']): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
