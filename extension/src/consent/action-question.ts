import type { Tool, ToolFamily } from '../../../bridge/protocol/index.ts';
import { clip, plainLine } from '../../../bridge/text/index.ts';

/** A call that a person is asked about. All texts but the class come from the client. */
export interface WantedCall {
  readonly client: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly actionClass: ActionClass;
}

/** A question as VS Code's dialog shows it. */
interface ConsentQuestion {
  readonly message: string;
  readonly detail: string;
}

const questionTextLimits = { client: 60, name: 60, value: 400 };
/** Maximum number of descriptive arguments; no tool has more. */
const mostLines = 8;
const mostEdits = 5;

/** The arguments that describe a call, in this order; the change itself is below them. */
const shownArguments: readonly string[] = [
  'command',
  'code',
  'text',
  'terminal',
  'path',
  'new_path',
  'action',
  'id',
  'vsix',
  'key',
  'value',
  'scope',
  'name',
  'new_name',
  'symbol',
  'title',
  'program',
  'configuration',
  'args',
  'arguments',
  'expression',
  'condition',
  'log_message',
  'tests',
  'source',
];

/** The arguments that are the change itself, with their diff markers. */
const changeArguments: readonly (readonly [name: string, sign: string])[] = [
  ['old_string', '-'],
  ['new_string', '+'],
  ['content', '+'],
  ['contents', '+'],
];

/** The question about a call. It is always plain text of bounded length. */
export function composeQuestion({
  client,
  tool,
  arguments: given,
  actionClass,
}: WantedCall): ConsentQuestion {
  const names = shownArguments.filter((name) => given[name] !== undefined).slice(0, mostLines);
  const lines = names.map((name) => `${name}: ${valueText(given[name])}`);
  const who = plainText(client, questionTextLimits.client) || 'unnamed';
  return {
    message: `The program "${who}" wants to ${actionClasses[actionClass]} in this window.`,
    detail: [
      [`tool: ${plainText(tool, questionTextLimits.name)}`, ...lines, ...changeLines(given)].join('\n'),
      '"For This Session" lasts until the program disconnects, "Never" until you reload the window or run the command "Ask Again What Agents May Do".',
    ].join('\n\n'),
  };
}

/** The removed text and its replacement, each on one line of bounded length. */
function changeLines(given: WantedCall['arguments']): string[] {
  const texts = changeArguments.flatMap(([name, sign]) => {
    const text = given[name];
    return text === undefined || text === '' ? [] : [`${sign} ${valueText(text)}`];
  });
  const { edits } = given;
  const parts = Array.isArray(edits) ? edits.slice(0, mostEdits).map((edit) => `~ ${valueText(edit)}`) : [];
  const more =
    Array.isArray(edits) && edits.length > mostEdits ? [`… and ${edits.length - mostEdits} more edits`] : [];
  return [...texts, ...parts, ...more];
}

/** One line without invisible or reordering characters; omitted characters are counted. */
export function plainText(text: string, most: number): string {
  const trimmed = text.trim();
  const start = clip(trimmed, most * 4).replaceAll(/\r\n?|[\n\u2028\u2029]/g, ' ⏎ ');
  const line = plainLine(start.replaceAll('\t', ' ')).replaceAll(/\s+/g, ' ');
  if (line.length <= most && trimmed.length <= most * 4) return line;
  return `${clip(line, most)}… (${trimmed.length} characters)`;
}

function valueText(value: unknown): string {
  return plainText(typeof value === 'string' ? value : JSON.stringify(value), questionTextLimits.value);
}

/** Classes of actions; a person allows or refuses each as a whole. */
const actionClasses = {
  files: 'change files',
  run: 'run commands and code',
  debug: 'debug programs, which runs their code',
  settings: 'change settings, extensions and the like',
  show: 'open and show things',
} as const;
export type ActionClass = keyof typeof actionClasses;

const classesByFamily: Readonly<Record<ToolFamily, ActionClass>> = {
  files: 'files',
  // These families only read. A new tool in them that does more is treated as the most dangerous class.
  search: 'run',
  data: 'run',
  refactor: 'files',
  history: 'files',
  run: 'run',
  debug: 'debug',
  view: 'show',
  profile: 'show',
  ide: 'settings',
};

/** Tools whose class differs from their family's: a chart is drawn by a program, and a command can do anything. */
const classesByTool: Readonly<Record<string, ActionClass>> = { preview_chart: 'run', run_command: 'run' };

/** The class that a person has to allow before a tool runs; undefined if it only reads. */
export function classifyAction({ name, family, readOnly, runsCode }: Tool): ActionClass | undefined {
  if (runsCode) return 'run';
  return readOnly ? undefined : (classesByTool[name] ?? classesByFamily[family]);
}
