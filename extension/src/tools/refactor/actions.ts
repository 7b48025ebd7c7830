import * as vscode from 'vscode';
import { deadline, raceSignal } from '../../../../bridge/lib/index.ts';
import {
  toolError,
  type ToolInput,
  type ToolOutput,
  type refactorTools,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clipText } from '../../lib/index.ts';
import { documentAt } from '../code/index.ts';
import { pathText } from '../place/index.ts';
import { whyUnchecked } from '../problems/index.ts';
import { versionOf } from '../text/index.ts';
import { answer, applyEdits, type Refactored } from './apply.ts';
import { askServer, rangeIn } from './locate.ts';
import { awaitPublished, awaitServer } from './ready.ts';
import { recorded } from './recorded.ts';

type Refactor = typeof refactorTools;
type Action = vscode.CodeAction | vscode.Command;
const most = 200;

export async function listCodeActions(
  input: ToolInput<Refactor['listCodeActions']>,
  { signal }: ToolContext,
): Promise<ToolOutput<Refactor['listCodeActions']>> {
  const document = await documentAt(input.path);
  const range = rangeIn(document, input);
  await using tabs = closingNew(document.uri);
  void tabs;
  const actions = await actionsAt(document, range, input.kind, signal);
  return {
    path: pathText(document.uri.fsPath),
    actions: actions.slice(0, most).map(describe),
    truncated: actions.length > most,
  };
}

/** Closes the tabs of a document that a question has opened. */
function closingNew(uri: vscode.Uri): AsyncDisposable {
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
): Promise<Refactored> {
  const document = await documentAt(input.path);
  const version = versionOf(document.getText());
  if (input.expected_version !== undefined && input.expected_version !== version)
    throw toolError('stale-version', `${input.path} is version ${version} now`, { help: 'Read it again' });
  await using opened = closingNew(document.uri);
  void opened;
  const actions = await actionsAt(document, rangeIn(document, input), input.kind, signal);
  const action = actions.find(({ title }) => title === input.title);
  if (!action) {
    const titles = actions.map(({ title }) => title).join('; ');
    throw toolError('not-found', `no action here is called ${input.title}`, {
      help: titles === '' ? 'Nothing is offered here' : `There are: ${clipText(titles)}`,
    });
  }
  const disabled = 'disabled' in action ? action.disabled : undefined;
  if (disabled) throw toolError('refactor-refused', `${action.title}: ${disabled.reason}`);
  return await perform(document, action, input.wait_ms, signal);
}

export async function organizeImports(
  input: ToolInput<Refactor['organizeImports']>,
  { signal }: ToolContext,
): Promise<Refactored> {
  const document = await documentAt(input.path);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const actions = await actionsAt(document, whole, 'source.organizeImports', signal);
  const action = actions.find((one) => kindOf(one) === 'source.organizeImports') ?? actions[0];
  if (!action) {
    const unserved = whyUnchecked(document);
    if (unserved === undefined) return answer({ title: 'organize imports' }, [], false);
    throw toolError('no-language-server', `nothing here organizes imports: ${unserved}`);
  }
  if (!('edit' in action) || !action.edit) return perform(document, action, input.wait_ms, signal);
  const options = { title: action.title, preview: input.preview, waitMs: input.wait_ms, signal };
  return applyEdits(action.edit.entries(), options);
}

/** Applies an action as VS Code does: first its edit, then its command. */
async function perform(
  document: vscode.TextDocument,
  action: Action,
  waitMs: number,
  signal: AbortSignal,
): Promise<Refactored> {
  const { title } = action;
  const edit = 'edit' in action ? action.edit : undefined;
  const commands = commandsOf(action);
  const options = { title, preview: false, waitMs, signal, creates: true };
  if (commands.length === 0) return applyEdits(edit?.entries() ?? [], options);
  return recorded(document, options, async () => {
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
function commandsOf(action: Action): vscode.Command[] {
  const command = typeof action.command === 'string' ? (action as vscode.Command) : action.command;
  if (!command) return [];
  const all =
    command.command === '_typescript.compositeCommand' ? (command.arguments as vscode.Command[]) : [command];
  return all.filter((one) => one.command !== 'editor.action.rename');
}

async function actionsAt(
  document: vscode.TextDocument,
  range: vscode.Range,
  kind: string | undefined,
  signal: AbortSignal,
): Promise<Action[]> {
  await awaitServer(document, signal);
  if (kind === undefined || kind.startsWith('quickfix')) await awaitPublished(document, signal);
  const selection = new vscode.Selection(range.start, range.end);
  const asked = askServer<Action[] | undefined>(
    'vscode.executeCodeActionProvider',
    signal,
    document.uri,
    selection,
    kind,
    most,
  );
  const actions = (await asked) ?? [];
  return actions.filter((one) => kind === undefined || kindOf(one)?.startsWith(kind) === true);
}

function kindOf(action: Action): string | undefined {
  return 'kind' in action ? action.kind?.value : undefined;
}

function describe(action: Action): ToolOutput<Refactor['listCodeActions']>['actions'][number] {
  const { isPreferred, disabled } = action as vscode.CodeAction;
  return {
    title: clipText(action.title),
    kind: kindOf(action) ?? null,
    preferred: isPreferred === true,
    disabled: disabled ? clipText(disabled.reason) : null,
  };
}
