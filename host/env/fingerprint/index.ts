import type { Sandbox } from '../../node/index.ts';
import { isOutOfTurn, requireTurn } from '../turn.ts';
import { readEditors, type EditorState } from './editor.ts';
import { readFiles, type FileState } from './files.ts';

export { digestOf, fileState, type FileState } from './files.ts';
export type { EditorState } from './editor.ts';

/** A fingerprint of an IDE's state, without its screen, for the comparison of two runs. No score depends on it. */
export interface Fingerprint {
  /** Null if they could not be read, or are too many. */
  readonly files: FileState | null;
  /** Null if the IDE did not answer. */
  readonly editor: EditorState | null;
}

/**
 * Rejects only for the signal. Nothing is known while a person has control, or if one has had it since an agent last
 * looked: then the state is theirs, and not the result of a step.
 */
export async function fingerprintOf(sandbox: Sandbox, signal: AbortSignal): Promise<Fingerprint> {
  const nothing = { files: null, editor: null };
  if (await isTheirs(sandbox, signal)) return nothing;
  const [editor, files] = await Promise.all([readEditors(sandbox, signal), readFiles(sandbox, signal)]);
  return (await isTheirs(sandbox, signal)) ? nothing : { files, editor };
}

async function isTheirs(sandbox: Sandbox, signal: AbortSignal): Promise<boolean> {
  try {
    await requireTurn(sandbox, signal);
    return false;
  } catch (error) {
    signal.throwIfAborted();
    return isOutOfTurn(error);
  }
}
