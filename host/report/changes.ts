import { openForeign } from '../lib/index.ts';
import type { EpisodeHistory } from '../record/index.ts';
import { count } from './format.ts';
import { markup, type Html } from './markup.ts';

/** The number of bytes of a patch to show; the file has the rest. */
const shownBytes = 200_000;

/** The beginning of a patch. */
export interface ShownPatch {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Null for a file that can't be read. @param folder of the record: links that lead out of it are not followed */
export async function readPatch(folder: string, name: string): Promise<ShownPatch | null> {
  try {
    await using opened = await openForeign(folder, name);
    const { buffer, bytesRead } = await opened.file.read({ buffer: Buffer.alloc(shownBytes + 1) });
    const isWhole = bytesRead <= shownBytes;
    return { text: buffer.toString('utf8', 0, Math.min(bytesRead, shownBytes)), isWhole };
  } catch {
    return null;
  }
}

/**
 * The agent's changes to its workspace, collapsed.
 * @param file address of the whole patch; null without one
 */
export function workChanges(
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
    <summary>What the agent changed in its workspace: ${count(files, 'file')}, +${added} −${removed}</summary>
    ${leadOut.length > 0 && markup`<p>Links that lead out of the workspace: ${leadOut.join(', ')}</p>`}
    <pre tabindex="0">${linesOf(text)}</pre>
    ${!isWhole && markup`<p class="quiet">The rest is not shown.</p>`}
    ${file !== null && markup`<p><a href="${file}">${file}</a></p>`}
  </details>`;
}

function linesOf(text: string): Html[] {
  let inHunk = false;
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      // A removed line may look like a header, but comes after its hunk's header.
      inHunk = line.startsWith('@@') || (inHunk && !line.startsWith('diff '));
      const kind = inHunk ? (kinds[line.slice(0, 1)] ?? 'same') : 'place';
      return markup`<span class="${kind}">${line}${'\n'}</span>`;
    });
}

/** By the first character of a line. */
const kinds: Readonly<Record<string, string>> = { '@': 'place', '+': 'added', '-': 'removed' };
