import type { Command } from 'commander';
import { setNames } from '../env/index.ts';
import type { ServedToolOptions, Server } from '../serve/index.ts';
import { folderOptions } from './copied-folder.ts';
import { audioOption, displayOption } from './options.ts';

/** Several models shrink larger pictures, which would make their coordinates wrong. */
const usualDisplay = { width: 1280, height: 800 };

export interface ToolOptions extends ServedToolOptions {
  readonly set?: string;
  readonly families?: readonly string[];
  readonly tools?: readonly string[];
  readonly all?: true;
  readonly readOnly?: true;
  readonly structured?: true;
}

/** The options for the IDE of a server. */
export function sharedIdeOptions(command: Command): Command {
  return folderOptions(command)
    .option('--sandbox <id>', 'serve this running sandbox instead of a new one')
    .option('--keep', 'leave the new sandbox running when the server ends')
    .addOption(displayOption(usualDisplay))
    .addOption(audioOption());
}

/** The options for the IDE of a page. */
export function pairOptions(command: Command): Command {
  return folderOptions(command)
    .option('--keep', 'leave the new sandbox running when this ends')
    .addOption(displayOption(usualDisplay))
    .addOption(audioOption());
}

/** The options for the tools of a server. */
export function toolOptions(command: Command): Command {
  return command
    .option('--all', 'list all tools at once; by default clients see the core tools and add others')
    .option('--families <family...>', 'serve only these families of tools, e.g. core debug', names)
    .option('--tools <tool...>', 'serve only these tools, and those of --families', names)
    .option('--set <name>', `serve the tools of another harness instead: ${setNames.join(', ')}`)
    .option('--read-only', 'serve only tools that change nothing')
    .option(
      '--structured',
      'also return results as objects, for programs; several models then miss text and images',
    );
}

/** A configuration in the form that most clients of the Model Context Protocol take. */
export function clientConfig({ origin, token }: Pick<Server, 'origin' | 'token'>): string {
  const headers = { Authorization: `Bearer ${token}` };
  const mcpServers = { pwp: { type: 'http', url: `${origin}/mcp`, headers } };
  return JSON.stringify({ mcpServers }, null, 2);
}

/** The values of an option that takes several, separated by spaces or commas. */
function names(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').filter((name) => name !== '')];
}
