import {
  describeTool,
  type Tool,
  toolErrorReasons,
  toolFamilies,
  type ToolFamily,
  tools,
} from '../../../bridge/protocol/index.ts';
import { describeSetTool, setNames, toolSet } from '../../ide/index.ts';

const familyTitles: Readonly<Record<ToolFamily, string>> = {
  files: 'Files',
  search: 'Search',
  refactor: 'Refactor',
  run: 'Run',
  debug: 'Debug',
  history: 'History',
  view: 'View',
  data: 'Data',
  profile: 'Profiles',
  ide: 'IDE',
};

/** `docs/tools.md`, made from the registry. */
export function renderToolsPage(): string {
  const families = toolFamilies.filter((family) => tools.some((tool) => tool.family === family));
  return [
    pageOpening,
    ...families.map(renderFamily),
    renderNames(),
    renderEarlierNames(),
    renderErrors(),
  ].join('\n');
}

const pageOpening = `# Tools

Typed calls on the live IDE, in addition to mouse and keyboard. This page is generated from the registry by
\`node host/doors/docs/write-docs.ts\`: don't edit it.

An agent calls a tool as an action of a step, \`{ kind: 'tool', name: 'read_file', arguments: { path: 'a.py' } }\`, and gets its
effect as with any other action. \`env.tools\` has the names, descriptions and JSON Schemas for a model, and \`env.call\` calls a
tool outside of a step. On the command line, use \`pwp tools\` and \`pwp tool <sandbox> read_file '{"path": "a.py"}'\`.

Agents that were written for IDE-Bench can use its names and arguments, \`{ kind: 'tool', set: 'ide-bench', name: 'read_file',
arguments: { target_file: 'a.py', should_read_entire_file: true } }\`, for the same tools. \`pwp tools --set ide-bench\` lists them,
and says why one is absent (\`web_search\`). \`pwp tool --set ide-bench <sandbox> …\` calls one. The tools that the assisted agents
of "Programming with Pixels" have are the sets \`pwp-swe\`, \`pwp-design\`, \`pwp-chart\`, \`pwp-sql\`, and \`pwp\`, which is all of
them: \`pwp run -a assisted --tools pwp-swe …\`.

Paths are in the workspace: relative to its first folder, or absolute. A path that leads out of it, through \`..\` or a link, is
refused. Lines and columns count from 1. Results have limits, and say so if they were cut.
`;

function renderFamily(family: ToolFamily): string {
  const own = tools.filter((tool) => tool.family === family);
  return [`## ${familyTitles[family]}\n`, ...own.map(renderTool)].join('\n');
}

function renderTool(tool: Tool): string {
  const { input, output } = describeTool(tool);
  const facts = [
    tool.readOnly ? 'Reads only' : 'Changes things',
    tool.where === 'extension' ? 'runs in the IDE' : 'needs no IDE',
    ...(tool.sources.length > 0 ? [`corresponds to ${formatSources(tool)}`] : []),
  ];
  return [
    `### \`${tool.name}\``,
    '',
    tool.description,
    '',
    `${facts.join('; ')}.`,
    '',
    ...renderFieldTable('Argument', input),
    ...renderFieldTable('Result', output),
  ].join('\n');
}

function formatSources({ sources }: Tool): string {
  return sources.map(({ from, name }) => `\`${name}\` (${from})`).join(', ');
}

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

function renderFieldTable(title: string, schema: FieldSchema): string[] {
  const rows = renderRows(schema, '', title === 'Argument');
  if (rows.length === 0) return title === 'Argument' ? ['No arguments.', ''] : [];
  return [`| ${title} | Type | Meaning |`, '| --- | --- | --- |', ...rows, ''];
}

/** Fields of objects in fields are listed below them, under their path. */
function renderRows(schema: FieldSchema, prefix: string, input: boolean): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const needed = schema.required?.includes(name) === true;
    const mark = input && needed ? ' *' : !input && !needed ? '?' : '';
    const path = `${prefix}${name}`;
    const row = `| \`${path}\`${mark} | ${escapeCell(formatType(field))} | ${escapeCell(formatMeaning(field))} |`;
    return [row, ...renderInnerRows(field, path, input)];
  });
}

function renderInnerRows(field: FieldSchema, path: string, input: boolean): string[] {
  if (field.items) return renderInnerRows(field.items, `${path}[]`, input);
  if (field.anyOf) return field.anyOf.flatMap((one) => renderInnerRows(one, path, input));
  return renderRows(field, `${path}.`, input);
}

function formatType(field: FieldSchema): string {
  if (field.const !== undefined) return JSON.stringify(field.const);
  if (field.enum) return field.enum.map((value) => JSON.stringify(value)).join(' \\| ');
  if (field.anyOf) return field.anyOf.map(formatType).join(' \\| ');
  if (field.items) return `${formatType(field.items)}[]`;
  return [field.type ?? 'any'].flat().join(' \\| ');
}

function formatMeaning({ description = '', default: value }: FieldSchema): string {
  const shown = value === undefined ? '' : `default \`${JSON.stringify(value)}\``;
  return [description, shown].filter((part) => part !== '').join('; ');
}

function escapeCell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll(/(?<!\\)\|/g, '\\|');
}

function renderNames(): string {
  const own = tools.flatMap((tool) =>
    tool.sources.map(({ from, name }) => `| ${from} | \`${name}\` | \`${tool.name}\` |`),
  );
  const sets = paperSets.flatMap((set) =>
    toolSet(set).tools.map((tool) => {
      const { name, answeredBy } = describeSetTool(tool);
      return `| \`${set}\` | \`${name}\` | ${answeredBy.map((one) => `\`${one}\``).join(', ')} |`;
    }),
  );
  return [
    '## Names elsewhere\n',
    '| Source | Name there | Tool |',
    '| --- | --- | --- |',
    ...[...own, ...sets].sort(),
    '',
  ].join('\n');
}

/** One a family; `pwp` has the tools of all. */
const paperSets = setNames.filter((name) => name.startsWith('pwp-'));

/** Table 2 of "Programming with Pixels": what earlier agents have, and what gives it here. */
const earlierToolNames: readonly (readonly [agent: string, tool: string, here: readonly string[]])[] = [
  ['Agentless', 'file edit', ['search_replace', 'edit_file', 'write_file']],
  ['Agentless', 'repository structure', ['repository_structure']],
  ['Agentless', 'file structure', ['document_symbols']],
  ['CodeAct', 'file edit', ['search_replace', 'edit_file', 'write_file']],
  ['CodeAct', 'IPython', ['run_python']],
  ['CodeAct', 'bash', ['shell']],
  ['SWE-agent', 'search file', ['file_search', 'grep_search']],
  ['SWE-agent', 'search text', ['grep_search']],
  ['SWE-agent', 'file edit', ['search_replace', 'edit_file', 'write_file']],
  ['EnIGMA', 'debugger', ['debug_start', 'debug_step', 'debug_evaluate']],
  ['EnIGMA', 'terminal', ['run_terminal_cmd', 'send_to_terminal', 'read_terminal']],
  ['EnIGMA', 'connection tool', ['send_to_terminal', 'websocket_test']],
  ['SWE-bench-MM', 'view webpage', ['browser_test', 'preview_html']],
  ['SWE-bench-MM', 'screenshot', ['screenshot_element']],
  ['SWE-bench-MM', 'open image', ['view_image']],
];

function renderEarlierNames(): string {
  const rows = earlierToolNames.map(
    ([agent, tool, here]) => `| ${agent} | ${tool} | ${here.map((name) => `\`${name}\``).join(', ')} |`,
  );
  const words =
    'What earlier agents have, by Table 2 of "Programming with Pixels". EnIGMA has the tools of SWE-agent, too, and so has the agent of SWE-bench Multimodal.';
  return [
    ...['## Tools of earlier agents\n', `${words}\n`, '| Agent | Tool | Here |', '| --- | --- | --- |'],
    ...[...rows, ''],
  ].join('\n');
}

function renderErrors(): string {
  const rows = Object.entries(toolErrorReasons).map(([reason, why]) => `| \`${reason}\` | ${why} |`);
  const words =
    'A tool that fails returns one of these reasons and a message that says what to do. It has changed nothing, unless the message says so.';
  return ['## Errors\n', `${words}\n`, '| Reason | Why |', '| --- | --- |', ...rows, ''].join('\n');
}
