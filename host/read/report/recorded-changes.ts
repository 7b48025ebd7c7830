import { diffLines } from 'diff';
import type * as z from 'zod';
import { openUntrusted } from '../../lib/index.ts';
import {
  lineEditArguments,
  readCallFile,
  readEdit,
  type RecordedCall,
  replacementArguments,
  wholeTextArguments,
} from '../analysis/index.ts';

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

/** The number of lines of one change to show; the rest is counted. */
const mostEditLines = 200;
/** The number of differing lines above which two texts are shown one below the other. */
const mostDifferentLines = 2000;

/** A line of a change: added, removed, unchanged, or the place of the next ones. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

/** The change of files by one call. */
export interface ShownEdit {
  /** Paths, with the number of changed lines in words. */
  readonly files: readonly { readonly path: string; readonly counts: string }[];
  /** The change that the call's arguments ask for. */
  readonly lines: readonly DiffLine[];
  /** The number of lines that are left out. */
  readonly omitted: number;
}

/** The change of a file that a call's arguments ask for, and the change that was seen. Null for other calls. */
export function showEdit(call: RecordedCall): ShownEdit | null {
  const lines = listEditLines(call);
  const changed = call.outcome?.changed ?? [];
  if (lines.length === 0 && changed.length === 0) return null;
  const edit = readEdit(call);
  const seen =
    changed.length > 0 ? changed : edit ? [{ ...edit, path: edit.file ?? readCallFile(call) ?? '' }] : [];
  return {
    files: seen.map((file) => ({ path: file.path, counts: formatLineCounts(file) })),
    lines: lines.slice(0, mostEditLines),
    omitted: Math.max(0, lines.length - mostEditLines),
  };
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
