import { diffLines } from 'diff';
import type * as z from 'zod';
import { openUntrusted } from '../../lib/index.ts';
import type { EpisodeHistory } from '../../run/index.ts';
import {
  lineEditArguments,
  readCallFile,
  readEdit,
  type RecordedCall,
  replacementArguments,
  wholeTextArguments,
} from '../analysis/index.ts';
import { type Html, markup } from './html-page.ts';
import { formatCount } from './report-words.ts';

/** The number of bytes of a patch to show; the file has the rest. */
const mostPatchBytes = 200_000;

/** The beginning of a patch. */
export interface ShownPatch {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Null for a file that can't be read. @param folder of the record: links that lead out of it are not followed */
export async function readPatch(folder: string, name: string): Promise<ShownPatch | null> {
  try {
    await using opened = await openUntrusted(folder, name);
    const { buffer, bytesRead } = await opened.file.read({ buffer: Buffer.alloc(mostPatchBytes + 1) });
    const isWhole = bytesRead <= mostPatchBytes;
    return { text: buffer.toString('utf8', 0, Math.min(bytesRead, mostPatchBytes)), isWhole };
  } catch {
    return null;
  }
}

/**
 * The agent's changes to its workspace, collapsed.
 * @param file address of the whole patch; null without one
 */
export function renderWorkChanges(
  { changes }: Pick<EpisodeHistory, 'changes'>,
  patch: ShownPatch | null,
  file: string | null,
): Html | null {
  if (changes === null) return null;
  const { files, added, removed, problem, leadOut } = changes;
  if (problem !== undefined)
    return markup`<p class="log quiet">What the agent changed in its workspace is not known: ${problem}</p>`;
  if (files === 0) return markup`<p class="log quiet">The agent changed no file of its workspace.</p>`;
  const { text, isWhole } = patch ?? { text: 'The patch can not be read.', isWhole: true };
  return markup`<details class="log patch">
    <summary>What the agent changed in its workspace: ${formatCount(files, 'file')}, +${added} −${removed}</summary>
    ${leadOut.length > 0 && markup`<p>Links that lead out of the workspace: ${leadOut.join(', ')}</p>`}
    <pre tabindex="0">${renderPatchLines(text)}</pre>
    ${!isWhole && markup`<p class="quiet">The rest is not shown.</p>`}
    ${file !== null && markup`<p><a href="${file}">${file}</a></p>`}
  </details>`;
}

function renderPatchLines(text: string): Html[] {
  let inHunk = false;
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      // A removed line may look like a header, but comes after its hunk's header.
      inHunk = line.startsWith('@@') || (inHunk && !line.startsWith('diff '));
      const kind = inHunk ? (patchLineKinds[line.slice(0, 1)] ?? 'same') : 'place';
      return markup`<span class="${kind}">${line}${'\n'}</span>`;
    });
}

/** By the first character of a line. */
const patchLineKinds: Readonly<Record<string, string>> = { '@': 'place', '+': 'added', '-': 'removed' };

/** The number of lines of one change to show; the rest is counted. */
const mostEditLines = 200;
/** The number of differing lines above which two texts are shown one below the other. */
const mostDifferentLines = 2000;

interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

/** The change of a file that a call's arguments ask for, and the change that was seen. Null for other calls. */
export function renderEdit(call: RecordedCall): Html | null {
  const lines = listEditLines(call);
  const changed = call.outcome?.changed ?? [];
  if (lines.length === 0 && changed.length === 0) return null;
  const edit = readEdit(call);
  const seen =
    changed.length > 0 ? changed : edit ? [{ ...edit, path: edit.file ?? readCallFile(call) ?? '' }] : [];
  return markup`<figure class="edited">
    <figcaption>${seen.map((file) => markup`<span><code>${file.path}</code> ${formatLineCounts(file)}</span>`)}</figcaption>
    ${lines.length > 0 && markup`<pre tabindex="0">${lines.slice(0, mostEditLines).map(renderDiffLine)}</pre>`}
    ${lines.length > mostEditLines && markup`<p class="quiet">and ${lines.length - mostEditLines} more lines</p>`}
  </figure>`;
}

function renderDiffLine({ sign, text }: DiffLine): Html {
  const kind = { '+': 'added', '-': 'removed', ' ': 'same', '@': 'place' }[sign];
  return markup`<span class="${kind}">${sign === '@' ? text : `${sign} ${text}`}${'\n'}</span>`;
}

interface CountedLines {
  readonly linesAdded: number | null;
  readonly linesRemoved: number | null;
  readonly newErrors: number | null;
}

function formatLineCounts({ linesAdded, linesRemoved, newErrors }: CountedLines): string {
  return [
    ...(linesAdded === null ? [] : [`+${linesAdded}`]),
    ...(linesRemoved === null ? [] : [`−${linesRemoved}`]),
    ...(newErrors === null || newErrors === 0 ? [] : [`new errors: ${newErrors}`]),
  ].join(' ');
}

function listEditLines({ tool }: RecordedCall): DiffLine[] {
  if (tool === null || tool.tool.family !== 'files' || tool.tool.readOnly) return [];
  const given = tool.arguments;
  const replaced = replacementArguments.safeParse(given).data;
  if (replaced) return listDifference(replaced.old_string, replaced.new_string);
  const edits = lineEditArguments.safeParse(given).data?.edits;
  if (edits) return edits.flatMap(listLineEdit);
  const written = wholeTextArguments.safeParse(given).data;
  return written ? signLines('+', written.content) : [];
}

function listLineEdit({
  type,
  line,
  end_line: last = line,
  content,
}: z.output<typeof lineEditArguments>['edits'][number]): DiffLine[] {
  const lines = last > line ? `lines ${line} to ${last}` : `line ${line}`;
  const place = {
    insert: `before line ${line}`,
    replace: `in place of ${lines}`,
    delete: `without ${lines}`,
  }[type];
  return [{ sign: '@', text: place }, ...(type === 'delete' ? [] : signLines('+', content))];
}

function listDifference(before: string, after: string): DiffLine[] {
  const parts = diffLines(before, after, { maxEditLength: mostDifferentLines });
  if (!parts) return [...signLines('-', before), ...signLines('+', after)];
  return parts.flatMap(({ added, removed, value }) => signLines(added ? '+' : removed ? '-' : ' ', value));
}

function signLines(sign: DiffLine['sign'], text: string): DiffLine[] {
  if (text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ sign, text: line }));
}
