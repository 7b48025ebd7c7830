import type { Tool } from '../../../bridge/protocol/index.ts';
import { collectChords } from '../../ide/index.ts';
import type { EventOf, RecordedAction } from '../../run/index.ts';
import { makeZeroCounts } from './record-tallies.ts';
import type { RecordedCall } from './recorded-calls.ts';

/** Parts of an IDE that a step may use, as far as a record shows them: mostly those of the PwP paper (figure 12). */
export const ideFeatures = [
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
export type IdeFeature = (typeof ideFeatures)[number];

type StepObservation = EventOf<'step'>['observation'];

/**
 * The features that a step tried to use, whether it succeeded or not: by the tools it called, the keys it pressed, the
 * text it typed, and the view that has the keyboard afterwards.
 */
function findFeatures(
  calls: readonly RecordedCall[],
  { focus }: Pick<StepObservation, 'focus'>,
): ReadonlySet<IdeFeature> {
  const found = new Set<IdeFeature | undefined>();
  const tried = calls.flatMap(({ tool, outcome }) => (outcome ? [{ tool, outcome }] : []));
  for (const { tool, outcome } of tried) {
    if (tool) found.add(findToolFeatures(tool.tool));
    for (const chord of listChords(outcome.action)) found.add(featuresByChord[chord]);
    if (outcome.typed) found.add(findTypedFeatures(outcome.typed.where));
  }
  const isInput = tried.some(({ outcome }) => featuresByInput.has(outcome.action.kind));
  if (isInput) found.add(findViewFeatures(focus?.view ?? ''));
  return new Set([...found].filter((one) => one !== undefined));
}

function listChords(action: RecordedAction): string[] {
  return action.kind === 'xdotool' || action.kind === 'computer' ? collectChords(action) : [];
}

const featuresByInput: ReadonlySet<RecordedAction['kind']> = new Set(['xdotool', 'mark', 'computer']);

/** Tools for files and a shell are the paper's APIs, not features of the IDE. */
function findToolFeatures({ name, family }: Tool): IdeFeature | undefined {
  return featuresByToolName[name] ?? featuresByFamily[family];
}

const featuresByFamily: Readonly<Partial<Record<Tool['family'], IdeFeature>>> = {
  search: 'search',
  refactor: 'code intelligence',
  debug: 'debug and run',
  profile: 'debug and run',
  history: 'source control',
};

const featuresByToolName: Readonly<Partial<Record<string, IdeFeature>>> = {
  repository_structure: 'explorer',
  ...collectFeatures('code intelligence', [
    ...['workspace_symbols', 'document_symbols', 'find_references', 'go_to_definition', 'hover'],
    ...['find_implementations', 'call_hierarchy', 'type_hierarchy', 'get_errors', 'show_problems'],
  ]),
  ...collectFeatures('debug and run', [
    'run_python',
    'list_tasks',
    'run_task',
    'stop_task',
    'list_tests',
    'run_tests',
  ]),
  ...collectFeatures('terminal', [
    ...['run_terminal_cmd', 'list_terminals', 'read_terminal', 'send_to_terminal', 'stop_terminal'],
  ]),
  ...collectFeatures('extensions', ['list_extensions', 'manage_extension']),
  ...collectFeatures('settings', ['get_settings', 'set_setting', 'list_keybindings']),
  ...collectFeatures('commands', ['list_commands', 'run_command']),
  show_diff: 'source control',
};

/** VS Code's own keys on Linux. */
const featuresByChord: Readonly<Partial<Record<string, IdeFeature>>> = {
  ...collectFeatures('code intelligence', [
    'f12',
    'shift+f12',
    'alt+f12',
    'ctrl+f12',
    'f2',
    'f8',
    'shift+f8',
  ]),
  ...collectFeatures('code intelligence', [
    'ctrl+space',
    'ctrl+shift+space',
    'ctrl+period',
    'ctrl+t',
    'ctrl+shift+o',
  ]),
  ...collectFeatures('debug and run', [
    'f5',
    'ctrl+f5',
    'shift+f5',
    'ctrl+shift+f5',
    'f9',
    'f10',
    'f11',
    'shift+f11',
  ]),
  ...collectFeatures('commands', ['f1', 'ctrl+shift+p']),
  ...collectFeatures('search', ['ctrl+f', 'ctrl+h', 'ctrl+shift+f', 'ctrl+shift+h']),
  ...collectFeatures('text editing', [
    'ctrl+z',
    'ctrl+y',
    'ctrl+shift+z',
    'ctrl+slash',
    'ctrl+shift+k',
    'alt+up',
  ]),
  ...collectFeatures('text editing', ['alt+down', 'shift+alt+f', 'shift+alt+up', 'shift+alt+down']),
};

function findTypedFeatures(where: 'editor' | 'field' | 'terminal'): IdeFeature | undefined {
  if (where === 'editor') return 'text editing';
  return where === 'terminal' ? 'terminal' : undefined;
}

/** The keyboard is in an editor after most steps, which alone says nothing. */
function findViewFeatures(view: string): IdeFeature | undefined {
  return featuresByView.find(([pattern]) => pattern.test(view))?.[1];
}

const featuresByView: readonly (readonly [RegExp, IdeFeature])[] = [
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

function collectFeatures(feature: IdeFeature, names: readonly string[]): Record<string, IdeFeature> {
  return Object.fromEntries(names.map((name) => [name, feature]));
}

/** The parts of the IDE that an episode tried to use. */
export interface FeatureFigures {
  /** Steps that tried to use it; a step may use any number of parts. */
  readonly byFeature: Readonly<Record<IdeFeature, number>>;
}

export class FeatureTally {
  readonly #byFeature = makeZeroCounts(ideFeatures);

  add({ observation }: EventOf<'step'>, calls: readonly RecordedCall[]): void {
    for (const feature of findFeatures(calls, observation)) this.#byFeature[feature] += 1;
  }

  get figures(): FeatureFigures {
    return { byFeature: { ...this.#byFeature } };
  }
}
