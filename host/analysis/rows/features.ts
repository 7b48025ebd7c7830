import type { Tool } from '../../../bridge/protocol/index.ts';
import { chordsOf } from '../../env/index.ts';
import type { EventOf, RecordedAction } from '../../record/index.ts';
import type { Call } from '../calls.ts';

/** Parts of an IDE that a step may use, as far as a record shows them: mostly those of the PwP paper (figure 12). */
export const features = [
  'text editing',
  'explorer',
  'terminal',
  'search',
  'debug and run',
  'code intelligence',
  'source control',
  'extensions',
  'settings',
  'commands',
] as const;
export type Feature = (typeof features)[number];

type Observed = EventOf<'step'>['observation'];

/**
 * The features that a step tried to use, whether it succeeded or not: by the tools it called, the keys it pressed, the
 * text it typed, and the view that has the keyboard afterwards.
 */
export function featuresOf(calls: readonly Call[], { focus }: Pick<Observed, 'focus'>): ReadonlySet<Feature> {
  const found = new Set<Feature | undefined>();
  const tried = calls.flatMap(({ tool, outcome }) => (outcome ? [{ tool, outcome }] : []));
  for (const { tool, outcome } of tried) {
    if (tool) found.add(byTool(tool.tool));
    for (const chord of chordsIn(outcome.action)) found.add(byChord[chord]);
    if (outcome.typed) found.add(byTyped(outcome.typed.where));
  }
  const isInput = tried.some(({ outcome }) => ofInput.has(outcome.action.kind));
  if (isInput) found.add(byView(focus?.view ?? ''));
  return new Set([...found].filter((one) => one !== undefined));
}

function chordsIn(action: RecordedAction): string[] {
  return action.kind === 'xdotool' || action.kind === 'computer' ? chordsOf(action) : [];
}

const ofInput: ReadonlySet<RecordedAction['kind']> = new Set(['xdotool', 'mark', 'computer']);

/** Tools for files and a shell are the paper's APIs, not features of the IDE. */
function byTool({ name, family }: Tool): Feature | undefined {
  return byToolName[name] ?? byFamily[family];
}

const byFamily: Readonly<Partial<Record<Tool['family'], Feature>>> = {
  search: 'search',
  refactor: 'code intelligence',
  debug: 'debug and run',
  profile: 'debug and run',
  history: 'source control',
};

const byToolName: Readonly<Partial<Record<string, Feature>>> = {
  repository_structure: 'explorer',
  ...ofEach('code intelligence', [
    ...['workspace_symbols', 'document_symbols', 'find_references', 'go_to_definition', 'hover'],
    ...['find_implementations', 'call_hierarchy', 'type_hierarchy', 'get_errors', 'show_problems'],
  ]),
  ...ofEach('debug and run', [
    'run_python',
    'list_tasks',
    'run_task',
    'stop_task',
    'list_tests',
    'run_tests',
  ]),
  ...ofEach('terminal', [
    ...['run_terminal_cmd', 'list_terminals', 'read_terminal', 'send_to_terminal', 'stop_terminal'],
  ]),
  ...ofEach('extensions', ['list_extensions', 'manage_extension']),
  ...ofEach('settings', ['get_settings', 'set_setting', 'list_keybindings']),
  ...ofEach('commands', ['list_commands', 'run_command']),
  show_diff: 'source control',
};

/** VS Code's own keys on Linux. */
const byChord: Readonly<Partial<Record<string, Feature>>> = {
  ...ofEach('code intelligence', ['f12', 'shift+f12', 'alt+f12', 'ctrl+f12', 'f2', 'f8', 'shift+f8']),
  ...ofEach('code intelligence', ['ctrl+space', 'ctrl+shift+space', 'ctrl+period', 'ctrl+t', 'ctrl+shift+o']),
  ...ofEach('debug and run', ['f5', 'ctrl+f5', 'shift+f5', 'ctrl+shift+f5', 'f9', 'f10', 'f11', 'shift+f11']),
  ...ofEach('commands', ['f1', 'ctrl+shift+p']),
  ...ofEach('search', ['ctrl+f', 'ctrl+h', 'ctrl+shift+f', 'ctrl+shift+h']),
  ...ofEach('text editing', ['ctrl+z', 'ctrl+y', 'ctrl+shift+z', 'ctrl+slash', 'ctrl+shift+k', 'alt+up']),
  ...ofEach('text editing', ['alt+down', 'shift+alt+f', 'shift+alt+up', 'shift+alt+down']),
};

function byTyped(where: 'editor' | 'field' | 'terminal'): Feature | undefined {
  if (where === 'editor') return 'text editing';
  return where === 'terminal' ? 'terminal' : undefined;
}

/** The keyboard is in an editor after most steps, which alone says nothing. */
function byView(view: string): Feature | undefined {
  return views.find(([pattern]) => pattern.test(view))?.[1];
}

const views: readonly (readonly [RegExp, Feature])[] = [
  [/^workbench\.view\.explorer/, 'explorer'],
  [/^(workbench\.view\.search|searchEditor$)/, 'search'],
  [
    /^(workbench\.view\.(debug|extension\.test|testing)|workbench\.panel\.(repl|testResults))/,
    'debug and run',
  ],
  [/^workbench\.view\.(scm|sync)/, 'source control'],
  [/^(workbench\.view\.extensions|extension$)/, 'extensions'],
  [/^(settings|keybindings)$/, 'settings'],
  [/^terminal$/, 'terminal'],
  [/^(workbench\.panel\.markers|rename)$/, 'code intelligence'],
  [/^quickInput$/, 'commands'],
];

function ofEach(feature: Feature, names: readonly string[]): Record<string, Feature> {
  return Object.fromEntries(names.map((name) => [name, feature]));
}
