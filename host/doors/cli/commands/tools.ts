import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { describeTool, tools } from '../../../../bridge/protocol/index.ts';
import { callTool, describeSetTool, setNames, type ToolAnswer, toolSet } from '../../../ide/index.ts';
import { withNodeHolding } from '../context.ts';
import { print } from '../output.ts';
import { formatTable } from '../tables.ts';

interface ListToolsOptions {
  readonly json?: true;
  readonly set?: string;
}

interface CallToolOptions extends ListToolsOptions {
  readonly images?: string;
}

export function addToolsCommand(program: Command): void {
  program
    .command('tools')
    .description('list the tools of the IDE; call one with `pwp tool`')
    .option('--json', 'print as JSON, with the JSON Schemas of arguments and results')
    .option('--set <name>', toolSetHelp)
    .action(listTools);
}

export function addToolCommand(program: Command): void {
  program
    .command('tool')
    .description('call a tool in a running sandbox, e.g. pwp tool <sandbox> read_file \'{"path": "a.py"}\'')
    .argument('<sandbox>', 'id of a running sandbox')
    .argument('<name>', 'name of a tool; see `pwp tools`')
    .argument('[arguments]', 'a JSON object', parseToolArguments, {})
    .option('--images <folder>', 'folder for the pictures that the tool returns')
    .option('--set <name>', toolSetHelp)
    .option('--json', 'print the result as JSON')
    .action(callNamedTool);
}

const toolSetHelp = `use the names and arguments of another harness: ${setNames.join(', ')}`;

function listTools({ json: asJson, set }: ListToolsOptions): void {
  const json = asJson ?? false;
  if (set === undefined) print(tools.map(describeTool), json, toolsText);
  else print(toolSet(set).tools.map(describeSetTool), json, () => toolSetText(set));
}

function toolSetText(set: string): string {
  const rows = toolSet(set).tools.map((one) => {
    const { name, answeredBy, absent } = describeSetTool(one);
    return [
      name,
      absent === null ? answeredBy.join(', ') : '-',
      absent === null ? one.description : `absent: ${absent}`,
    ];
  });
  return formatTable([['TOOL', 'ANSWERED BY', 'WHAT IT DOES'], ...rows]);
}

async function callNamedTool(
  id: string,
  name: string,
  given: Record<string, unknown>,
  options: CallToolOptions,
): Promise<void> {
  await withNodeHolding(id, async ({ node, signal }) => {
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

function toolsText(): string {
  const rows = tools.map(({ name, family, readOnly, title }) => [
    name,
    family,
    readOnly ? 'reads' : 'acts',
    title,
  ]);
  return formatTable([['TOOL', 'FAMILY', '', 'WHAT IT DOES'], ...rows]);
}

function parseToolArguments(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new PwpError('usage', `tool: the arguments are not valid JSON: ${describeError(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new PwpError('usage', 'tool: the arguments must be a JSON object, e.g. {"path": "a.py"}');
}
