import * as vscode from 'vscode';
import { deadline, raceSignal } from '../../../../bridge/lib/index.ts';
import {
  type refactorTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { clipText } from '../../lib/index.ts';
import { type DocumentSnapshot, restoreDocuments, snapshotDocument } from '../change-document.ts';
import { compareProblems, readProblemsBefore, watchProblems } from '../check-problems.ts';
import { openCodeDocument } from '../code/index.ts';
import { hashText } from '../file-text.ts';
import { explainUnchecked } from '../problem-sources.ts';
import { formatPath } from '../workspace-place.ts';
import {
  applyEdits,
  type ApplyOptions,
  describeRefactor,
  type RefactoredFile,
  type RefactorResult,
} from './apply-edits.ts';
import { askForRefactor, awaitPublished, awaitServer, resolveRange } from './ready-server.ts';

type Refactor = typeof refactorTools;
type Action = vscode.CodeAction | vscode.Command;
const maxActions = 200;

export async function listCodeActions(
  input: ToolInput<Refactor['listCodeActions']>,
  { signal }: ToolContext,
): Promise<ToolOutput<Refactor['listCodeActions']>> {
  const document = await openCodeDocument(input.path);
  const range = resolveRange(document, input);
  await using tabs = closeNewTabsOnDispose(document.uri);
  void tabs;
  const actions = await fetchActions(document, range, input.kind, signal);
  return {
    path: formatPath(document.uri.fsPath),
    actions: actions.slice(0, maxActions).map(describeAction),
    truncated: actions.length > maxActions,
  };
}

/** Closes the tabs of a document that a question has opened. */
function closeNewTabsOnDispose(uri: vscode.Uri): AsyncDisposable {
  const tabs = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
  const wasOpen = tabs().length > 0;
  return {
    [Symbol.asyncDispose]: async () => {
      const clean = tabs().filter(({ isDirty }) => !isDirty);
      if (!wasOpen && clean.length > 0) await vscode.window.tabGroups.close(clean, true);
    },
  };
}

export async function applyCodeAction(
  input: ToolInput<Refactor['applyCodeAction']>,
  { signal }: ToolContext,
): Promise<RefactorResult> {
  const document = await openCodeDocument(input.path);
  const version = hashText(document.getText());
  if (input.expected_version !== undefined && input.expected_version !== version)
    throw toolError('stale-version', `${input.path} is version ${version} now`, { help: 'Read it again' });
  await using opened = closeNewTabsOnDispose(document.uri);
  void opened;
  const actions = await fetchActions(document, resolveRange(document, input), input.kind, signal);
  const action = actions.find(({ title }) => title === input.title);
  if (!action) {
    const titles = actions.map(({ title }) => title).join('; ');
    throw toolError('not-found', `no action here is called ${input.title}`, {
      help: titles === '' ? 'Nothing is offered here' : `There are: ${clipText(titles)}`,
    });
  }
  const disabled = 'disabled' in action ? action.disabled : undefined;
  if (disabled) throw toolError('refactor-refused', `${action.title}: ${disabled.reason}`);
  return await performAction(document, action, input.wait_ms, signal);
}

export async function organizeImports(
  input: ToolInput<Refactor['organizeImports']>,
  { signal }: ToolContext,
): Promise<RefactorResult> {
  const document = await openCodeDocument(input.path);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const actions = await fetchActions(document, whole, 'source.organizeImports', signal);
  const action = actions.find((one) => readActionKind(one) === 'source.organizeImports') ?? actions[0];
  if (!action) {
    const unserved = explainUnchecked(document);
    if (unserved === undefined) return describeRefactor({ title: 'organize imports' }, [], false);
    throw toolError('no-language-server', `nothing here organizes imports: ${unserved}`);
  }
  if (!('edit' in action) || !action.edit) return performAction(document, action, input.wait_ms, signal);
  const options = { title: action.title, preview: input.preview, waitMs: input.wait_ms, signal };
  return applyEdits(action.edit.entries(), options);
}

/** Applies an action as VS Code does: first its edit, then its command. */
async function performAction(
  document: vscode.TextDocument,
  action: Action,
  waitMs: number,
  signal: AbortSignal,
): Promise<RefactorResult> {
  const { title } = action;
  const edit = 'edit' in action ? action.edit : undefined;
  const commands = listActionCommands(action);
  const options = { title, preview: false, waitMs, signal, creates: true };
  if (commands.length === 0) return applyEdits(edit?.entries() ?? [], options);
  return recordChanges(document, options, async () => {
    if (edit) await vscode.workspace.applyEdit(edit);
    using limit = deadline(title, 30_000, signal);
    for (const { command, arguments: given } of commands) {
      const done = vscode.commands.executeCommand(command, ...((given ?? []) as unknown[]));
      await raceSignal(Promise.resolve(done), limit.signal);
    }
  });
}

/**
 * The commands to run after the edit. A refactoring that introduces a name would then ask the person for a better one, in
 * a box that would stay open: that command is skipped.
 */
function listActionCommands(action: Action): vscode.Command[] {
  const command = typeof action.command === 'string' ? (action as vscode.Command) : action.command;
  if (!command) return [];
  const all =
    command.command === '_typescript.compositeCommand' ? (command.arguments as vscode.Command[]) : [command];
  return all.filter((one) => one.command !== 'editor.action.rename');
}

async function fetchActions(
  document: vscode.TextDocument,
  range: vscode.Range,
  kind: string | undefined,
  signal: AbortSignal,
): Promise<Action[]> {
  await awaitServer(document, signal);
  if (kind === undefined || kind.startsWith('quickfix')) await awaitPublished(document, signal);
  const selection = new vscode.Selection(range.start, range.end);
  const asked = askForRefactor<Action[] | undefined>(
    'vscode.executeCodeActionProvider',
    signal,
    document.uri,
    selection,
    kind,
    maxActions,
  );
  const actions = (await asked) ?? [];
  return actions.filter((one) => kind === undefined || readActionKind(one)?.startsWith(kind) === true);
}

function readActionKind(action: Action): string | undefined {
  return 'kind' in action ? action.kind?.value : undefined;
}

function describeAction(action: Action): ToolOutput<Refactor['listCodeActions']>['actions'][number] {
  const { isPreferred, disabled } = action as vscode.CodeAction;
  return {
    title: clipText(action.title),
    kind: readActionKind(action) ?? null,
    preferred: isPreferred === true,
    disabled: disabled ? clipText(disabled.reason) : null,
  };
}

type RecordedChange = RefactoredFile['changes'][number];

/**
 * Runs an operation that changes documents by itself, and reports its changes. Documents without unsaved changes are
 * saved. Errors: `write-failed` if one can't be saved; then all are restored.
 */
async function recordChanges(
  document: vscode.TextDocument,
  { title, waitMs, signal }: ApplyOptions,
  work: () => Promise<void>,
): Promise<RefactorResult> {
  const dirty = new Set(
    vscode.workspace.textDocuments.filter((one) => one.isDirty).map(({ uri }) => uri.toString()),
  );
  const changes = new Map<vscode.TextDocument, RecordedChange[]>();
  const were = new Map(vscode.workspace.textDocuments.map((one) => [one, snapshotDocument(one)]));
  using watch = watchProblems(document.uri);
  const known = waitMs > 0 ? await readProblemsBefore(document, true, waitMs, signal) : undefined;
  const opening = vscode.workspace.onDidOpenTextDocument((one) => void were.set(one, snapshotDocument(one)));
  const made = new Set<string>();
  const making = vscode.workspace.onDidCreateFiles(({ files }) =>
    files.forEach((one) => made.add(one.toString())),
  );
  const listening = vscode.workspace.onDidChangeTextDocument(({ document: one, contentChanges }) => {
    if (one.uri.scheme !== 'file' && one.uri.scheme !== 'vscode-remote') return;
    if (contentChanges.length > 0)
      changes.set(one, [...(changes.get(one) ?? []), ...contentChanges.map(describeRecordedFile)]);
  });
  try {
    await work();
  } finally {
    listening.dispose();
    making.dispose();
    opening.dispose();
  }
  const files: RefactoredFile[] = [];
  for (const [one, changed] of changes) {
    const saved = !dirty.has(one.uri.toString());
    if (saved && !(await one.save()) && one.isDirty) {
      const name = formatPath(one.uri.fsPath);
      const touched = [...were.values()].filter((was) => changes.has(was.document));
      throw toolError('write-failed', `${name} could not be saved; ${await undoRecorded(touched, made)}`);
    }
    const problems =
      one === document && waitMs > 0 ? compareProblems(known, await watch.check(one, waitMs, signal)) : null;
    files.push({ ...describeRecorded(one, changed), saved, problems });
  }
  return describeRefactor({ title }, files, files.length > 0);
}

/** Removes created files, with their editors' text, and restores the others. Returns the words about it for a message. */
async function undoRecorded(
  touched: readonly DocumentSnapshot[],
  made: ReadonlySet<string>,
): Promise<string> {
  const removal = new vscode.WorkspaceEdit();
  for (const uri of made) removal.deleteFile(vscode.Uri.parse(uri), { ignoreIfNotExists: true });
  const removed = made.size === 0 || (await vscode.workspace.applyEdit(removal));
  const others = removed ? touched.filter(({ document }) => !made.has(document.uri.toString())) : touched;
  return restoreDocuments(others);
}

function describeRecorded(document: vscode.TextDocument, changes: readonly RecordedChange[]): RefactoredFile {
  return {
    path: formatPath(document.uri.fsPath),
    kind: 'changed',
    new_path: null,
    changes: changes.slice(0, 500),
    omitted: Math.max(0, changes.length - 500),
    saved: false,
    version: hashText(document.getText()),
    problems: null,
  };
}

/** The event does not have the previous text. */
function describeRecordedFile({ range, text }: vscode.TextDocumentContentChangeEvent): RecordedChange {
  return {
    line: range.start.line + 1,
    column: range.start.character + 1,
    end_line: range.end.line + 1,
    end_column: range.end.character + 1,
    old: '',
    new: clip(text, 2000),
  };
}
