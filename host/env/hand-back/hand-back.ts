import type { LeaseState, Sandbox } from '../../node/index.ts';
import { handBackText, stateChanges, type HandBack } from './differ.ts';
import { compareFiles, folder, noteFiles } from './files.ts';
import { fileText, unsavedChanges } from './unsaved.ts';
import { snapshot, takeSnapshot, type Snapshot } from './snapshot.ts';

/** Length of the report to an agent, in UTF-16 code units: at first, and when it asks for more. */
const longest = { short: 2000, long: 20_000 } as const;

/** The changes by people, in words. */
export interface PersonChanges {
  /** At most 2,000 characters. */
  readonly short: string;
  /** At most 20,000. */
  readonly long: string;
}

const stateFile = `${folder}/state.json`;
const stateBytes = 2_000_000;
const writeMs = 5000;

/**
 * Notes the state of the IDE when a person takes control, unless no agent has looked since the turn before: then the
 * first note still counts. Rejects only for the signal: a state that was not noted is reported as unknown.
 */
export async function noteTurn(sandbox: Sandbox, state: LeaseState, signal: AbortSignal): Promise<void> {
  if (state.turns > state.looked) return;
  try {
    const taken = await takeSnapshot(sandbox, state.turns, signal);
    const tree = taken.workspace === null ? undefined : await noteFiles(sandbox, taken.workspace, signal);
    await write(sandbox, { ...taken, tree: tree ?? null }, signal);
  } catch {
    signal.throwIfAborted();
  }
}

/**
 * The changes by people since an agent last looked, in words: from the state at the first take-over after that to the
 * state now. All of it comes from inside.
 */
export async function personChanges(
  sandbox: Sandbox,
  { looked, last }: Pick<LeaseState, 'looked' | 'last'>,
  signal: AbortSignal,
): Promise<PersonChanges> {
  const by = { who: last?.from?.name ?? 'A person', given: last?.how === 'given' };
  const before = await read(sandbox);
  if (before?.turn !== looked) return bothLengths({ ...by, state: undefined, files: undefined });
  const after = await takeSnapshot(sandbox, looked, signal);
  const { workspace, tree } = before;
  const files =
    workspace === null || tree === null
      ? undefined
      : await compareFiles(sandbox, workspace, tree, signal).catch(() => undefined);
  const unsaved = await unsavedChanges(before.unsaved, after.unsaved, (path) => fileText(sandbox, path));
  signal.throwIfAborted();
  return bothLengths({ ...by, state: stateChanges(before, after), files, unsaved });
}

function bothLengths(what: HandBack): PersonChanges {
  return { short: handBackText(what, longest.short), long: handBackText(what, longest.long) };
}

async function write(sandbox: Sandbox, value: Snapshot, signal: AbortSignal): Promise<void> {
  await sandbox.exec(
    {
      argv: ['bash', '-c', 'mkdir -p -m 700 "$1" && cat > "$2"', 'bash', folder, stateFile],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      input: JSON.stringify(value),
      timeoutMs: writeMs,
      maxOutputBytes: 1000,
    },
    { signal },
  );
}

/** Undefined if the file does not exist, or is not one of ours. */
async function read(sandbox: Sandbox): Promise<Snapshot | undefined> {
  const bytes = await sandbox.readFile(stateFile, stateBytes).catch(() => null);
  if (!bytes) return undefined;
  try {
    return snapshot.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return undefined;
  }
}
