import type { Sandbox } from '../../node/index.ts';
import { isOutOfTurn, requireSight } from '../turn.ts';
import { readEditors, type EditorState } from './editor.ts';
import { readFiles, type FileState } from './files.ts';

export { digestOf, fileState, type FileState } from './files.ts';
export type { EditorState } from './editor.ts';

/** What an IDE's state comes to beside its screen, for the comparison of two runs. No score depends on it. */
export interface Fingerprint {
  /** Null if they could not be read, or are too many. */
  readonly files: FileState | null;
  /** Null if the IDE did not answer. */
  readonly editor: EditorState | null;
}

/** Never rejects but for the signal. While a person has control who does not let agents watch, nothing is known. */
export async function fingerprintOf(sandbox: Sandbox, signal: AbortSignal): Promise<Fingerprint> {
  if (await isUnseen(sandbox, signal)) return { files: null, editor: null };
  const [editor, files] = await Promise.all([readEditors(sandbox, signal), readFiles(sandbox, signal)]);
  return { files, editor };
}

async function isUnseen(sandbox: Sandbox, signal: AbortSignal): Promise<boolean> {
  try {
    await requireSight(sandbox, signal);
    return false;
  } catch (error) {
    signal.throwIfAborted();
    return isOutOfTurn(error);
  }
}
