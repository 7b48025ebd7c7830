import { diffLines } from 'diff';
import type * as z from 'zod';
import { editOf, fileOf, lineEdits, replacement, whole, type Call } from '../analysis/index.ts';
import { markup, type Html } from './markup.ts';

/** The number of lines of one change to show; the rest is counted. */
const mostLines = 200;
/** The number of differing lines above which two texts are shown one below the other. */
const mostDifferent = 2000;

interface Line {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

/** The change of a file that a call's arguments ask for, and the change that was seen. Null for other calls. */
export function edited(call: Call): Html | null {
  const lines = linesOf(call);
  const changed = call.outcome?.changed ?? [];
  if (lines.length === 0 && changed.length === 0) return null;
  const edit = editOf(call);
  const seen =
    changed.length > 0 ? changed : edit ? [{ ...edit, path: edit.file ?? fileOf(call) ?? '' }] : [];
  return markup`<figure class="edited">
    <figcaption>${seen.map((file) => markup`<span><code>${file.path}</code> ${counts(file)}</span>`)}</figcaption>
    ${lines.length > 0 && markup`<pre tabindex="0">${lines.slice(0, mostLines).map(lineOf)}</pre>`}
    ${lines.length > mostLines && markup`<p class="quiet">and ${lines.length - mostLines} more lines</p>`}
  </figure>`;
}

function lineOf({ sign, text }: Line): Html {
  const kind = { '+': 'added', '-': 'removed', ' ': 'same', '@': 'place' }[sign];
  return markup`<span class="${kind}">${sign === '@' ? text : `${sign} ${text}`}${'\n'}</span>`;
}

interface Counted {
  readonly linesAdded: number | null;
  readonly linesRemoved: number | null;
  readonly newErrors: number | null;
}

function counts({ linesAdded, linesRemoved, newErrors }: Counted): string {
  return [
    ...(linesAdded === null ? [] : [`+${linesAdded}`]),
    ...(linesRemoved === null ? [] : [`−${linesRemoved}`]),
    ...(newErrors === null || newErrors === 0 ? [] : [`new errors: ${newErrors}`]),
  ].join(' ');
}

function linesOf({ tool }: Call): Line[] {
  if (tool === null || tool.tool.family !== 'files' || tool.tool.readOnly) return [];
  const given = tool.arguments;
  const replaced = replacement.safeParse(given).data;
  if (replaced) return difference(replaced.old_string, replaced.new_string);
  const edits = lineEdits.safeParse(given).data?.edits;
  if (edits) return edits.flatMap(lineEdit);
  const written = whole.safeParse(given).data;
  return written ? signed('+', written.content) : [];
}

function lineEdit({
  type,
  line,
  end_line: last = line,
  content,
}: z.output<typeof lineEdits>['edits'][number]): Line[] {
  const lines = last > line ? `lines ${line} to ${last}` : `line ${line}`;
  const place = {
    insert: `before line ${line}`,
    replace: `in place of ${lines}`,
    delete: `without ${lines}`,
  }[type];
  return [{ sign: '@', text: place }, ...(type === 'delete' ? [] : signed('+', content))];
}

function difference(before: string, after: string): Line[] {
  const parts = diffLines(before, after, { maxEditLength: mostDifferent });
  if (!parts) return [...signed('-', before), ...signed('+', after)];
  return parts.flatMap(({ added, removed, value }) => signed(added ? '+' : removed ? '-' : ' ', value));
}

function signed(sign: Line['sign'], text: string): Line[] {
  if (text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ sign, text: line }));
}
