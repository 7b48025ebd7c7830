import { createHash } from 'node:crypto';
import { clip } from '../../../bridge/lib/index.ts';
import { ide, type ResultOf } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';

/** The open editors, as the IDE reports them. */
export interface EditorState {
  /** All tabs from left to right, by label; ` •` marks text that is not saved. */
  readonly tabs: readonly string[];
  /** The editor that has or had the focus; null without one. */
  readonly active: {
    readonly uri: string;
    /** First 16 hexadecimal digits of the SHA-256 of its text, whether that is saved or not. */
    readonly text: string;
    /** Of the cursor, both from 1. */
    readonly line: number;
    readonly column: number;
  } | null;
}

/** Longest wait for the IDE, in milliseconds. */
const lastMs = 3000;

/** The editors of a sandbox; null if the IDE does not answer. It comes from inside. */
export async function readEditors(sandbox: Sandbox, signal: AbortSignal): Promise<EditorState | null> {
  const within = { signal: AbortSignal.any([signal, AbortSignal.timeout(lastMs)]) };
  try {
    const [{ editor }, { groups }] = await Promise.all([
      sandbox.call(ide.editor, { includeText: true, current: true }, within),
      sandbox.call(ide.tabs, {}, within),
    ]);
    const tabs = groups.flatMap((group) => group.tabs);
    return {
      tabs: tabs.slice(0, mostTabs).map(({ label, dirty }) => clip(label, 300) + (dirty ? ' •' : '')),
      active: editor && activeOf(editor),
    };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

const mostTabs = 200;

function activeOf({
  uri,
  text = '',
  selections,
}: NonNullable<ResultOf<typeof ide.editor>['editor']>): EditorState['active'] {
  const { line = 0, character = 0 } = selections[0]?.active ?? {};
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { uri: clip(uri, 2000), text: hash, line: line + 1, column: character + 1 };
}
