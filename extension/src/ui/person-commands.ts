import * as vscode from 'vscode';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import {
  agent,
  type AgentStep,
  dom,
  type DomGlance,
  ide,
  type Method,
} from '../../../bridge/protocol/index.ts';
import { askSandboxBridge } from './bridge-client.ts';
import type { AskWindow } from './state-view.ts';
import type { Steps } from './steps-view.ts';

interface CommandSources {
  readonly ask: AskWindow;
  readonly steps: Steps;
  readonly documents: CommandDocuments;
}

/** The commands for people. A command that fails shows the reason in a message. */
export function registerCommands({ ask, steps, documents }: CommandSources): vscode.Disposable[] {
  return [
    registerPersonCommand('pwp.inspectState', async () =>
      documents.show('IDE State.json', await readStateText(ask)),
    ),
    registerPersonCommand('pwp.showLastObservation', async () =>
      documents.show('Last Observation.md', await readObservationText(steps.all)),
    ),
    registerPersonCommand('pwp.copyMarks', async () => {
      const text = await readMarksText();
      await vscode.env.clipboard.writeText(text);
      const count = text === '' ? 0 : text.split('\n').length;
      vscode.window.setStatusBarMessage(`${count} marks are in the clipboard`, 5000);
    }),
    registerPersonCommand('pwp.showMarks', () => showOverlay(true)),
    registerPersonCommand('pwp.hideMarks', () => showOverlay(false)),
  ];
}

async function showOverlay(on: boolean): Promise<void> {
  await askSandboxBridge(agent.overlay, { on });
  await vscode.commands.executeCommand('setContext', 'pwp.marksShown', on);
}

function registerPersonCommand(id: string, run: () => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(id, async () => {
    try {
      await run();
    } catch (error) {
      const help = error instanceof PwpError && error.help !== undefined ? ` ${error.help}` : '';
      // Not awaited: it stays until it is closed.
      void vscode.window.showErrorMessage(`${describeError(error)}.${help}`);
    }
  });
}

const documentScheme = 'pwp';

/** Texts that commands show: read-only documents, renewed each time. */
export class CommandDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  // Last, since VS Code subscribes to the provider when it is registered.
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(documentScheme, this);

  /** @param name with an ending that shows the language, e.g. `IDE State.json` */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: documentScheme, path: `/${name}` });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.#texts.get(path) ?? '';
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }
}

/** The whole state as JSON: each method's answer, or its error. */
async function readStateText(ask: AskWindow): Promise<string> {
  const read = <M extends Method>(method: M, params: Parameters<typeof ask<M>>[1]) =>
    ask(method, params).catch((error: unknown) => ({ error: describeError(error) }));
  const state = {
    info: await read(ide.info, {}),
    workspace: await read(ide.workspace, {}),
    tabs: await read(ide.tabs, {}),
    editor: await read(ide.editor, {}),
    outline: await read(ide.outline, {}),
    diagnostics: await read(ide.diagnostics, {}),
    settings: await read(ide.changedSettings, {}),
    sourceControl: await read(ide.sourceControl, {}),
    work: await read(ide.work, {}),
    terminals: await read(ide.terminals, {}),
    tasks: await read(ide.tasks, {}),
    debug: await read(ide.debug, {}),
    breakpoints: await read(ide.breakpoints, {}),
    tests: await read(ide.tests, {}),
    extensions: await read(ide.extensions, {}),
  };
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** The marks as agents read them, one per line. Errors: `unsupported`. */
async function readMarksText(): Promise<string> {
  return formatMarks((await askSandboxBridge(dom.glance, {})).marks);
}

function formatMarks(marks: DomGlance['marks']): string {
  return marks.map(formatMark).join('\n');
}

function formatMark({ id, role, name, value, state, box }: DomGlance['marks'][number]): string {
  const at = `${Math.round(box.x)},${Math.round(box.y)} ${Math.round(box.width)}x${Math.round(box.height)}`;
  const held = value === undefined ? [] : [`= ${JSON.stringify(value)}`];
  return [`[${id}]`, role, JSON.stringify(name), at, ...held, ...Object.keys(state)].join(' ');
}

/** The result of the last step as its caller received it, and the marks that were shown last. Errors: `unsupported`. */
async function readObservationText(steps: readonly AgentStep[]): Promise<string> {
  const { observation: last } = await askSandboxBridge(dom.last, {});
  const marks = last ? `## Marks of observation ${last.observation}\n\n${formatMarks(last.marks)}\n` : '';
  return `${formatLastStep(steps)}\n${marks}`;
}

function formatLastStep(steps: readonly AgentStep[]): string {
  const last = steps.findLast(({ observation }) => observation !== null);
  if (!last) return 'No steps in this window yet.\n';
  const { step, by, at, outcomes, skipped, settled, observation } = last;
  return [
    `# Step ${step ?? ''} (${by}, ${new Date(at).toISOString()})`,
    '',
    ...outcomes.map(
      ({ action, effect, evidence, tool }) =>
        `- \`${action}\`\n  ${effect}: ${evidence}${tool ? `\n\n${fenceText(tool.result)}` : ''}`,
    ),
    ...(skipped > 0 ? [`- not tried: ${skipped} later actions`] : []),
    '',
    settled ?? '',
    '',
    observation ?? '',
    '',
  ].join('\n');
}

function fenceText(text: string): string {
  return `  \`\`\`\n${text.replaceAll(/^/gm, '  ')}\n  \`\`\``;
}
