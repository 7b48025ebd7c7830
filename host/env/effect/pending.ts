import type { Evidence } from './evidence.ts';
import { awaitsSetting } from './setting.ts';
import { clipped } from './words.ts';

/**
 * What VS Code has yet to write after the last input of a step, e.g. `VS Code has yet to write: settings.json`. It
 * never writes a value that it considers invalid.
 */
export function pendingOf(before: Evidence, after: Evidence): string[] {
  const { page, events } = after;
  const files = [...(page?.pending === 'write' ? ['settings.json'] : []), ...(events?.unwritten ?? [])];
  if (files.length > 0) return [`VS Code has yet to write: ${clipped(files.join(', '), 160)}`];
  return awaitsSetting(before, after) ? ['VS Code has not written the setting'] : [];
}
