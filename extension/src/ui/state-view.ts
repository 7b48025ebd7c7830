import * as vscode from 'vscode';
import { describeError } from '../../../bridge/lib/index.ts';
import {
  type DebugSession,
  type Diagnostic,
  type Editor,
  type EditorTab,
  ide,
  type IdeBreakpoint,
  type Method,
  type OpenRepository,
  type ParamsIn,
  type ResultOf,
  type StatePart,
  type Terminal,
  type TestRun,
} from '../../../bridge/protocol/index.ts';
import { makeTreeItem, type TreeRow } from './tree-row.ts';

/** A section while it is in the tree: its rows are read when it is opened. */
interface OpenedSection extends TreeRow {
  readonly section: StateSection;
}

/** The IDE's state as a tree. Each part is read when it is opened, and again when it has changed. */
export class StateView implements vscode.TreeDataProvider<TreeRow | OpenedSection> {
  readonly #ask: AskWindow;
  readonly #changed = new vscode.EventEmitter<OpenedSection[] | undefined>();
  readonly #top: readonly OpenedSection[] = stateSections.map((section) => ({
    section,
    label: section.label,
    icon: section.icon,
    rows: [],
  }));

  /** The sections that were opened once: others show nothing that could change. */
  readonly #opened = new Set<StateSection>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(ask: AskWindow) {
    this.#ask = ask;
  }

  /** @param parts those that have changed; default: all */
  refresh(parts?: ReadonlySet<StatePart>): void {
    const stale = this.#top.filter(
      ({ section }) => this.#opened.has(section) && section.parts.some((part) => parts?.has(part) ?? true),
    );
    if (stale.length > 0) this.#changed.fire(stale);
  }

  getTreeItem(row: TreeRow): vscode.TreeItem {
    return makeTreeItem(row);
  }

  async getChildren(row?: TreeRow | OpenedSection): Promise<TreeRow[]> {
    if (!row) return [...this.#top];
    if (!('section' in row)) return [...(row.rows ?? [])];
    this.#opened.add(row.section);
    return [...(await this.#read(row.section))];
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #read({ read, none }: StateSection): Promise<readonly TreeRow[]> {
    try {
      const rows = await read(this.#ask);
      return rows.length > 0 ? rows : [{ label: none, icon: 'blank' }];
    } catch (error) {
      return [{ label: describeError(error), icon: 'error:problemsErrorIcon.foreground' }];
    }
  }
}

/** Reads this window's state, as programs do over its socket. */
export type AskWindow = <M extends Method>(method: M, params: ParamsIn<M>) => Promise<ResultOf<M>>;

/** One part of the IDE's state. */
interface StateSection {
  readonly label: string;
  readonly icon: string;
  /** The section changes with these parts. */
  readonly parts: readonly StatePart[];
  /** The text of a section without rows. */
  readonly none: string;
  readonly read: (ask: AskWindow) => Promise<readonly TreeRow[]>;
}

/** The sections that people see, in this order. */
const stateSections: readonly StateSection[] = [
  {
    label: 'Problems',
    icon: 'warning',
    parts: ['diagnostics'],
    none: 'no problems',
    read: async (ask) => (await ask(ide.diagnostics, {})).diagnostics.map(problemRow),
  },
  {
    label: 'Active editor',
    icon: 'edit',
    parts: ['editor'],
    none: 'no text editor is active',
    read: async (ask) => editorRows((await ask(ide.editor, {})).editor),
  },
  {
    label: 'Tabs',
    icon: 'files',
    parts: ['tabs'],
    none: 'nothing is open',
    read: async (ask) => (await ask(ide.tabs, {})).groups.flatMap(({ tabs }) => tabs.map(tabRow)),
  },
  {
    label: 'Outline',
    icon: 'symbol-class',
    parts: ['outline'],
    none: 'no symbols in the active editor',
    read: async (ask) => outlineRows(await ask(ide.outline, {})),
  },
  {
    label: 'Settings that differ',
    icon: 'settings-gear',
    parts: ['settings'],
    none: 'all are as they come',
    read: async (ask) =>
      (await ask(ide.changedSettings, {})).settings.map(({ key, effective, source }) => ({
        label: key,
        description: `${JSON.stringify(effective)}  (${source})`,
      })),
  },
  {
    label: 'Source control',
    icon: 'source-control',
    parts: ['sourceControl'],
    none: 'no repository',
    read: async (ask) => (await ask(ide.sourceControl, {})).repositories.map(repositoryRow),
  },
  {
    label: 'Terminals',
    icon: 'terminal',
    parts: ['terminals'],
    none: 'no terminal is open',
    read: async (ask) => (await ask(ide.terminals, { maxChars: 2000 })).terminals.map(terminalRow),
  },
  {
    label: 'Running',
    icon: 'sync',
    parts: ['work'],
    none: 'nothing runs',
    read: async (ask) => (await ask(ide.work, {})).running.map(({ what }) => ({ label: what })),
  },
  {
    label: 'Debug sessions',
    icon: 'debug',
    parts: ['debug'],
    none: 'nothing is debugged',
    read: async (ask) => (await ask(ide.debug, {})).sessions.map(sessionRow),
  },
  {
    label: 'Breakpoints',
    icon: 'debug-breakpoint',
    parts: ['breakpoints'],
    none: 'no breakpoints',
    read: async (ask) => (await ask(ide.breakpoints, {})).breakpoints.map(breakpointRow),
  },
  {
    label: 'Last test run',
    icon: 'beaker',
    parts: ['tests'],
    none: 'the tool run_tests was not used in this window',
    read: async (ask) => testRows((await ask(ide.tests, {})).lastRun),
  },
  {
    label: 'Extensions',
    icon: 'extensions',
    parts: ['extensions'],
    none: 'none but those that came with VS Code',
    read: async (ask) =>
      (await ask(ide.extensions, {})).extensions.map(({ id, version }) => ({
        label: id,
        description: version,
      })),
  },
];

const severityIcons: Readonly<Record<Diagnostic['severity'], string>> = {
  error: 'error:problemsErrorIcon.foreground',
  warning: 'warning:problemsWarningIcon.foreground',
  information: 'info:problemsInfoIcon.foreground',
  hint: 'lightbulb',
};

function problemRow({ uri, range, severity, message }: Diagnostic): TreeRow {
  const { line } = range.start;
  return {
    label: message,
    description: `${formatFileName(uri)}:${line + 1}`,
    icon: severityIcons[severity],
    place: { uri, line },
  };
}

function editorRows(editor: Editor | null): TreeRow[] {
  if (!editor) return [];
  const { uri, language, version, dirty, lines, selections, visible } = editor;
  const [first] = selections;
  const at = first ? `${first.active.line + 1}:${first.active.character + 1}` : 'none';
  const more = selections.length > 1 ? ` and ${selections.length - 1} more` : '';
  const [seen] = visible;
  return [
    { label: formatFileName(uri), description: readUriPath(uri), icon: 'file', place: { uri } },
    { label: 'unsaved changes', description: dirty ? 'yes' : 'no' },
    { label: 'language', description: language },
    { label: 'version', description: String(version) },
    { label: 'cursor', description: at + more },
    {
      label: 'lines',
      description: seen ? `${seen.start.line + 1}-${seen.end.line + 1} of ${lines} shown` : String(lines),
    },
  ];
}

function tabRow({ label, kind, uri, active, dirty, pinned, preview }: EditorTab): TreeRow {
  const flags = Object.entries({ active, unsaved: dirty, pinned, preview });
  const said = flags.filter(([, value]) => value).map(([name]) => name);
  return {
    label,
    description: [kind, ...said].join(', '),
    icon: 'file',
    ...(uri !== undefined && { place: { uri } }),
  };
}

function outlineRows({ uri, symbols }: ResultOf<typeof ide.outline>): TreeRow[] {
  return symbols.map(({ name, kind, level, selection }) => ({
    label: `${'    '.repeat(level - 1)}${name}`,
    description: `${kind}, line ${selection.start.line + 1}`,
    ...(uri !== null && { place: { uri, line: selection.start.line } }),
  }));
}

function repositoryRow({ root, branch, staged, unstaged, conflicts }: OpenRepository): TreeRow {
  const changes = (label: string, icon: string, list: OpenRepository['staged']): TreeRow[] =>
    list.map(({ uri, status }) => ({
      label: formatFileName(uri),
      description: `${label}, ${status}`,
      icon,
      place: { uri },
    }));
  return {
    label: formatFileName(root),
    description: branch ?? 'no branch',
    icon: 'repo',
    open: true,
    rows: [
      ...changes('conflict', 'warning:list.warningForeground', conflicts),
      ...changes('staged', 'diff-added', staged),
      ...changes('not staged', 'diff-modified', unstaged),
    ],
  };
}

function terminalRow({ name, cwd, shellIntegration, lastCommand }: Terminal): TreeRow {
  const label = name || 'terminal';
  if (!lastCommand) {
    const description = shellIntegration ? (cwd ?? '') : 'nothing is known of its commands';
    return { label, description, icon: 'terminal' };
  }
  const { line, running, exitCode, output } = lastCommand;
  const ended = exitCode === null ? 'ended' : `exit code ${exitCode}`;
  return {
    label,
    description: `${line}: ${running ? 'runs' : ended}`,
    tooltip: output || line,
    icon: 'terminal',
  };
}

function sessionRow({ name, type, state, reason, exception, threads }: DebugSession): TreeRow {
  const why = exception ?? reason;
  return {
    label: name,
    description: `${type}, ${state}${why === null ? '' : `: ${why}`}`,
    icon: 'debug',
    rows: threads.map((thread) => ({
      label: thread.name,
      icon: 'list-tree',
      open: true,
      rows: thread.frames.map(({ name: frame, uri, line }) => ({
        label: frame,
        description: uri === null ? '' : `${formatFileName(uri)}:${line}`,
        icon: 'debug-stackframe',
        ...(uri !== null && { place: { uri, line: Math.max(0, line - 1) } }),
      })),
    })),
  };
}

function breakpointRow({
  uri,
  line,
  name,
  enabled,
  condition,
  hitCondition,
  logMessage,
}: IdeBreakpoint): TreeRow {
  const conditions = [
    condition && `if ${condition}`,
    hitCondition && `hit ${hitCondition}`,
    logMessage && `log ${logMessage}`,
  ];
  const details = [...conditions.filter(Boolean), ...(enabled ? [] : ['disabled'])].join(', ');
  return {
    label: uri === null ? (name ?? 'breakpoint') : `${formatFileName(uri)}:${line ?? ''}`,
    description: details,
    icon: enabled ? 'debug-breakpoint:debugIcon.breakpointForeground' : 'debug-breakpoint-disabled',
    ...(uri !== null && { place: { uri, line: Math.max(0, (line ?? 1) - 1) } }),
  };
}

function testRows(run: TestRun | null): TreeRow[] {
  return (run?.tests ?? []).map(({ id, status, message }) => ({
    label: id,
    description: status,
    tooltip: message || id,
    icon: status === 'failed' || status === 'error' ? 'error:testing.iconFailed' : 'pass:testing.iconPassed',
  }));
}

function formatFileName(uri: string): string {
  return (
    readUriPath(uri)
      .split('/')
      .findLast((part) => part !== '') ?? uri
  );
}

function readUriPath(uri: string): string {
  return vscode.Uri.parse(uri).path;
}
