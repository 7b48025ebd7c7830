import * as vscode from 'vscode';
import {
  ide,
  type Breakpoint,
  type DebugSession,
  type Diagnostic,
  type Editor,
  type Method,
  type ParamsIn,
  type Repository,
  type ResultOf,
  type StatePart,
  type Tab,
  type Terminal,
  type TestRun,
} from '../../../bridge/protocol/index.ts';
import type { Row } from './row.ts';

/** Reads this window's state, as programs do over its socket. */
export type Ask = <M extends Method>(method: M, params: ParamsIn<M>) => Promise<ResultOf<M>>;

/** One part of the IDE's state. */
export interface Section {
  readonly label: string;
  readonly icon: string;
  /** The section changes with these parts. */
  readonly parts: readonly StatePart[];
  /** The text of a section without rows. */
  readonly none: string;
  readonly read: (ask: Ask) => Promise<readonly Row[]>;
}

/** The sections that people see, in this order. */
export const sections: readonly Section[] = [
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

function problemRow({ uri, range, severity, message }: Diagnostic): Row {
  const { line } = range.start;
  return {
    label: message,
    description: `${nameOf(uri)}:${line + 1}`,
    icon: severityIcons[severity],
    place: { uri, line },
  };
}

function editorRows(editor: Editor | null): Row[] {
  if (!editor) return [];
  const { uri, language, version, dirty, lines, selections, visible } = editor;
  const [first] = selections;
  const at = first ? `${first.active.line + 1}:${first.active.character + 1}` : 'none';
  const more = selections.length > 1 ? ` and ${selections.length - 1} more` : '';
  const [seen] = visible;
  return [
    { label: nameOf(uri), description: pathOf(uri), icon: 'file', place: { uri } },
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

function tabRow({ label, kind, uri, active, dirty, pinned, preview }: Tab): Row {
  const flags = Object.entries({ active, unsaved: dirty, pinned, preview });
  const said = flags.filter(([, value]) => value).map(([name]) => name);
  return {
    label,
    description: [kind, ...said].join(', '),
    icon: 'file',
    ...(uri !== undefined && { place: { uri } }),
  };
}

function outlineRows({ uri, symbols }: ResultOf<typeof ide.outline>): Row[] {
  return symbols.map(({ name, kind, level, selection }) => ({
    label: `${'    '.repeat(level - 1)}${name}`,
    description: `${kind}, line ${selection.start.line + 1}`,
    ...(uri !== null && { place: { uri, line: selection.start.line } }),
  }));
}

function repositoryRow({ root, branch, staged, unstaged, conflicts }: Repository): Row {
  const changes = (label: string, icon: string, list: Repository['staged']): Row[] =>
    list.map(({ uri, status }) => ({
      label: nameOf(uri),
      description: `${label}, ${status}`,
      icon,
      place: { uri },
    }));
  return {
    label: nameOf(root),
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

function terminalRow({ name, cwd, shellIntegration, lastCommand }: Terminal): Row {
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

function sessionRow({ name, type, state, reason, exception, threads }: DebugSession): Row {
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
        description: uri === null ? '' : `${nameOf(uri)}:${line}`,
        icon: 'debug-stackframe',
        ...(uri !== null && { place: { uri, line: Math.max(0, line - 1) } }),
      })),
    })),
  };
}

function breakpointRow({ uri, line, name, enabled, condition, hitCondition, logMessage }: Breakpoint): Row {
  const conditions = [
    condition && `if ${condition}`,
    hitCondition && `hit ${hitCondition}`,
    logMessage && `log ${logMessage}`,
  ];
  const details = [...conditions.filter(Boolean), ...(enabled ? [] : ['disabled'])].join(', ');
  return {
    label: uri === null ? (name ?? 'breakpoint') : `${nameOf(uri)}:${line ?? ''}`,
    description: details,
    icon: enabled ? 'debug-breakpoint:debugIcon.breakpointForeground' : 'debug-breakpoint-disabled',
    ...(uri !== null && { place: { uri, line: Math.max(0, (line ?? 1) - 1) } }),
  };
}

function testRows(run: TestRun | null): Row[] {
  return (run?.tests ?? []).map(({ id, status, message }) => ({
    label: id,
    description: status,
    tooltip: message || id,
    icon: status === 'failed' || status === 'error' ? 'error:testing.iconFailed' : 'pass:testing.iconPassed',
  }));
}

function nameOf(uri: string): string {
  return (
    pathOf(uri)
      .split('/')
      .findLast((part) => part !== '') ?? uri
  );
}

function pathOf(uri: string): string {
  return vscode.Uri.parse(uri).path;
}
