import type { DomProbe } from '../../../bridge/protocol/index.ts';
import type { Evidence } from './evidence.ts';
import { eventsOf } from './news.ts';
import { stateChange } from './state-change.ts';

/** Whether a setting's control was changed, and VS Code has not reported yet that the setting is written. */
export function awaitsSetting(before: Evidence, after: Evidence): boolean {
  if (!before.page || !after.page?.setting || !before.events || !after.events) return false;
  if (eventsOf(before, after).some(({ what }) => what === 'setting')) return false;
  return isTicked(before.page, after.page) || isEdited(before.page, after.page);
}

/** By the keyboard or the mouse. */
function isTicked(before: DomProbe, after: DomProbe): boolean {
  const press = after.pressed?.count === before.pressed?.count ? null : after.pressed;
  if (press?.now && stateChange(press.before, press.now) !== '') return true;
  return before.element === after.element && stateChange(before.state, after.state) !== '';
}

/** And VS Code's pause, in which it waits for more typing, is over. */
function isEdited(before: DomProbe, after: DomProbe): boolean {
  const isOther = before.focus?.value !== after.focus?.value;
  return before.element === after.element && isOther && after.pending === null;
}
