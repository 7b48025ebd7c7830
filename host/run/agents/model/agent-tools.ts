import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import {
  coreTools,
  describeTool,
  findNearestName,
  findTool,
  tools,
} from '../../../../bridge/protocol/index.ts';
import { type Action, describeSetTool, setNames, toolSet } from '../../../ide/index.ts';
import type { FunctionTool } from '../../models/index.ts';

/** Tools that a model may call, and the action that a call becomes. */
export interface AgentTools {
  readonly name: string;
  readonly tools: readonly FunctionTool[];
  /** Undefined for a name that is not in the set. */
  action(name: string, given: Readonly<Record<string, unknown>>): Action | undefined;
}

const fileToolNames = [
  ...['shell', 'read_file', 'write_file', 'search_replace', 'list_dir', 'grep_search', 'file_search'],
  'view_image',
];

/** Named lists of the registry's tools. */
const namedToolLists: Readonly<Record<string, readonly string[]>> = {
  none: [],
  bash: ['shell'],
  files: fileToolNames,
  assisted: [...new Set([...fileToolNames, ...coreTools])],
  all: tools.map(({ name }) => name),
};

/** Names that need no file. */
export const toolSetNames: readonly string[] = [...Object.keys(namedToolLists), ...setNames];

const toolSetFile = z.strictObject({
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
  const list = namedToolLists[nameOrPath];
  if (list) return fromToolNames(nameOrPath, list);
  if (setNames.includes(nameOrPath)) return fromIdeToolSet(nameOrPath);
  if (!/[/.]/.test(nameOrPath))
    throw new PwpError('usage', `there is no set of tools ${JSON.stringify(nameOrPath)}`, {
      help: `One of ${toolSetNames.join(', ')}, or the path of a file, e.g. ./mine.json`,
    });
  const { name, tools: names } = await readToolSetFile(nameOrPath);
  return fromToolNames(name, names);
}

async function readToolSetFile(path: string): Promise<z.output<typeof toolSetFile>> {
  try {
    return toolSetFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : describeError(cause);
    throw new PwpError('usage', `${path} is not a set of tools: ${why}`, {
      cause,
      help: 'Expected {"name": "mine", "tools": ["shell", "read_file"]}.',
    });
  }
}

function fromToolNames(name: string, names: readonly string[]): AgentTools {
  const found = names.map((one) => {
    const tool = findTool(one);
    if (tool) return tool;
    const like = findNearestName(
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
      const { description, input } = describeTool(tool);
      return { name: tool.name, description, schema: input };
    }),
    action: (tool, given) => (known.has(tool) ? { kind: 'tool', name: tool, arguments: given } : undefined),
  };
}

/** Tools with the names that agents of another harness know. */
function fromIdeToolSet(set: string): AgentTools {
  const offered = toolSet(set)
    .tools.map(describeSetTool)
    .filter(({ absent }) => absent === null);
  return {
    name: set,
    tools: offered.map(({ name, description, input }) => ({ name, description, schema: input })),
    action: (name, given) =>
      offered.some((one) => one.name === name) ? { kind: 'tool', set, name, arguments: given } : undefined,
  };
}
