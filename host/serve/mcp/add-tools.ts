import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { firstSentence, readArguments } from '../../../bridge/protocol/index.ts';
import { text } from './content.ts';
import { failed } from './errors.ts';
import type { OfferedTools } from './offered-tools.ts';
import { hints } from './registry.ts';
import { hint, type ServedFamily } from './served-tools.ts';

export const addToolsName = 'add_tools';

/** The tools of each family beyond the core. */
const contents: Readonly<Record<ServedFamily, string>> = {
  files: 'edits by lines, notebooks, folders, moving and deleting',
  search: 'search by words, hover, symbols, implementations, hierarchies of calls and types',
  refactor: 'moving symbols and files, code actions, formatting',
  run: 'terminals, tasks, list of tests, Python',
  debug: 'breakpoints, stepping, stack, variables',
  history: 'earlier versions of files',
  view: 'differences, previews, charts, diagrams, images, a picture of an element',
  data: 'SQLite, MongoDB, HTTP, WebSocket, pages in a browser',
  profile: 'CPU profiles',
  ide: 'extensions, keybindings',
  computer: 'dragging, moving the pointer, holding keys, waiting, dialogs of the browser',
  people: 'what a person changed, at length',
};

const input = z.strictObject({
  names: z.array(z.string().min(1).max(100)).min(1).max(100).describe('families, or single tools'),
});

/** The tool with which a client gets the tools that it was not shown at first. */
export function addToolsDefinition<C>(offered: OfferedTools<C>): McpTool {
  const families = offered.moreFamilies.map((family) => `${family} (${contents[family]})`);
  const { properties, required } = z.toJSONSchema(input, { io: 'input' }) as Partial<McpTool['inputSchema']>;
  return {
    name: addToolsName,
    title: 'Add tools',
    description: `Adds tools to your list, by family: ${families.join('; ')}.`,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: hints('Add tools', true),
  };
}

/**
 * Adds tools.
 * @param onAdded is awaited before the answer: reports to the client that its list has changed
 */
export async function addTools<C>(
  offered: OfferedTools<C>,
  given: Readonly<Record<string, unknown>>,
  onAdded: () => Promise<void>,
): Promise<CallToolResult> {
  const checked = readArguments(input, given);
  if (!checked.success) return failed('bad-arguments', `${addToolsName}: ${z.prettifyError(checked.error)}`);
  const known = [...new Set([...Object.keys(contents), ...offered.names])];
  const result = offered.add(checked.data.names);
  if ('unknown' in result) {
    const { unknown } = result;
    return failed('bad-arguments', `no family or tool is called ${unknown}: ${hint(unknown, known)}`);
  }
  await onAdded();
  const lines = result.added.map(
    ({ definition: { name, description } }) => `${name}: ${firstSentence(description ?? '')}`,
  );
  return { content: [text(['Now in your list of tools:', ...lines].join('\n'))] };
}
