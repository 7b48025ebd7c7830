import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import { definitionOf, tools } from '../../../bridge/protocol/index.ts';
import { callTool, setDefinition, setNames, toolSet, type ToolAnswer } from '../../env/index.ts';
import { withNodeOf } from '../context.ts';
import { print } from '../output.ts';
import { table } from '../table.ts';

interface ListOptions {
  readonly json?: true;
  readonly set?: string;
}

interface CallOptions extends ListOptions {
  readonly images?: string;
}

export function addTools(program: Command): void {
  program
    .command('tools')
    .description('list the tools of the IDE; call one with `pwp tool`')
    .option('--json', 'print as JSON, with the JSON Schemas of arguments and results')
    .option('--set <name>', setHelp)
    .action(list);
}

export function addTool(program: Command): void {
  program
    .command('tool')
    .description('call a tool in a running sandbox, e.g. pwp tool <sandbox> read_file \'{"path": "a.py"}\'')
    .argument('<sandbox>', 'id of a running sandbox')
    .argument('<name>', 'name of a tool; see `pwp tools`')
    .argument('[arguments]', 'a JSON object', readArguments, {})
    .option('--images <folder>', 'folder for the pictures that the tool returns')
    .option('--set <name>', setHelp)
    .option('--json', 'print the result as JSON')
    .action(call);
}

const setHelp = `use the names and arguments of another harness: ${setNames.join(', ')}`;

function list({ json: asJson, set }: ListOptions): void {
  const json = asJson ?? false;
  if (set === undefined) print(tools.map(definitionOf), json, listText);
  else print(toolSet(set).tools.map(setDefinition), json, () => setText(set));
}

function setText(set: string): string {
  const rows = toolSet(set).tools.map((one) => {
    const { name, answeredBy, absent } = setDefinition(one);
    return [
      name,
      absent === null ? answeredBy.join(', ') : '-',
      absent === null ? one.description : `absent: ${absent}`,
    ];
  });
  return table([['TOOL', 'ANSWERED BY', 'WHAT IT DOES'], ...rows]);
}

async function call(
  id: string,
  name: string,
  given: Record<string, unknown>,
  options: CallOptions,
): Promise<void> {
  await withNodeOf(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    const answer = await callTool(sandbox, { name, arguments: given, set: options.set }, { signal });
    const files = options.images === undefined ? [] : await writeImages(answer, name, options.images);
    print(answer.result, options.json ?? false, () => [answer.text, ...files].join('\n'));
  });
}

async function writeImages({ images }: ToolAnswer, name: string, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    images.map(async ({ bytes, mime }, i) => {
      const ending = mime.slice('image/'.length).replace('svg+xml', 'svg').replace('jpeg', 'jpg');
      const file = join(folder, `${name}-${i + 1}.${ending}`);
      await writeFile(file, bytes);
      return file;
    }),
  );
}

function listText(): string {
  const rows = tools.map(({ name, family, readOnly, title }) => [
    name,
    family,
    readOnly ? 'reads' : 'acts',
    title,
  ]);
  return table([['TOOL', 'FAMILY', '', 'WHAT IT DOES'], ...rows]);
}

function readArguments(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new PwpError('usage', `tool: the arguments are not valid JSON: ${messageOf(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new PwpError('usage', 'tool: the arguments must be a JSON object, e.g. {"path": "a.py"}');
}
