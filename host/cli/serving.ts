import { Option, type Command } from 'commander';
import { setNames } from '../env/index.ts';
import { servedFamilies, type ServedToolOptions } from '../serve/index.ts';
import { folderOptions } from './copied-folder.ts';
import { displayOption } from './options.ts';

/** Pictures go to models, and several of them shrink what is larger: their coordinates would then be off. */
const usualDisplay = { width: 1280, height: 800 };

export interface ToolOptions extends ServedToolOptions {
  readonly set?: string;
  readonly families?: readonly string[];
  readonly readOnly?: true;
  readonly structured?: true;
}

/** Which IDE a server is for. */
export function sharedIdeOptions(command: Command): Command {
  return folderOptions(command)
    .option('--sandbox <id>', 'serve this running sandbox instead of a new one')
    .option('--keep', 'leave the new sandbox running when the server ends')
    .addOption(displayOption(usualDisplay));
}

/** Which tools a server has. */
export function toolOptions(command: Command): Command {
  return command
    .addOption(new Option('--set <name>', 'serve the tools of another harness instead').choices(setNames))
    .addOption(
      new Option('--families <family...>', 'serve only these families of tools').choices(servedFamilies),
    )
    .option('--read-only', 'serve only tools that change nothing')
    .option(
      '--structured',
      'also return results as objects, for programs; several models then miss text and images',
    );
}
