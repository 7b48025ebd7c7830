import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import { coreTools, definitionOf, findTool, nearest, tools } from '../../../bridge/protocol/index.ts';
import { setDefinition, setNames, toolSet, type Action } from '../../env/index.ts';
import type { FunctionTool } from '../../models/index.ts';

/** Tools that a model may call, and the action that a call becomes. */
export interface AgentTools {
  readonly name: string;
  readonly tools: readonly FunctionTool[];
  /** Undefined for a name that is not in the set. */
  action(name: string, given: Readonly<Record<string, unknown>>): Action | undefined;
}

const files = [
  ...['shell', 'read_file', 'write_file', 'search_replace', 'list_dir', 'grep_search', 'file_search'],
  'view_image',
];

/** Named lists of the registry's tools. */
const lists: Readonly<Record<string, readonly string[]>> = {
  none: [],
  bash: ['shell'],
  files,
  assisted: [...new Set([...files, ...coreTools])],
  all: tools.map(({ name }) => name),
};

/** Names that need no file. */
export const toolSetNames: readonly string[] = [...Object.keys(lists), ...setNames];

const ownSet = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,60}$/)
    .describe('for tables and records'),
  tools: z.array(z.string()).max(200).describe("names of the registry's tools (docs/tools.md)"),
});

/**
 * A set of tools by its name, or by the path of a custom JSON file: `{"name": "mine", "tools": ["shell"]}`. Errors:
 * `usage` for a name that is neither, and for a tool that does not exist.
 */
export async function readToolSet(nameOrPath: string): Promise<AgentTools> {
  const list = lists[nameOrPath];
  if (list) return listed(nameOrPath, list);
  if (setNames.includes(nameOrPath)) return adapted(nameOrPath);
  if (!/[/.]/.test(nameOrPath))
    throw new PwpError('usage', `there is no set of tools ${JSON.stringify(nameOrPath)}`, {
      help: `One of ${toolSetNames.join(', ')}, or the path of a file, e.g. ./mine.json`,
    });
  const { name, tools: names } = await readOwn(nameOrPath);
  return listed(name, names);
}

async function readOwn(path: string): Promise<z.output<typeof ownSet>> {
  try {
    return ownSet.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw new PwpError('usage', `${path} is not a set of tools: ${why}`, {
      cause,
      help: 'Expected {"name": "mine", "tools": ["shell", "read_file"]}.',
    });
  }
}

function listed(name: string, names: readonly string[]): AgentTools {
  const found = names.map((one) => {
    const tool = findTool(one);
    if (tool) return tool;
    const like = nearest(
      one,
      tools.map((other) => other.name),
    );
    throw new PwpError('usage', `the set ${name} names ${one}, which is not a tool`, {
      help: like === undefined ? 'docs/tools.md lists them.' : `Did you mean ${like}?`,
    });
  });
  const known = new Set(names);
  return {
    name,
    tools: found.map((tool) => {
      const { description, input } = definitionOf(tool);
      return { name: tool.name, description, schema: input };
    }),
    action: (tool, given) => (known.has(tool) ? { kind: 'tool', name: tool, arguments: given } : undefined),
  };
}

/** Tools with the names that agents of another harness know. */
function adapted(set: string): AgentTools {
  const offered = toolSet(set)
    .tools.map(setDefinition)
    .filter(({ absent }) => absent === null);
  return {
    name: set,
    tools: offered.map(({ name, description, input }) => ({ name, description, schema: input })),
    action: (name, given) =>
      offered.some((one) => one.name === name) ? { kind: 'tool', set, name, arguments: given } : undefined,
  };
}
