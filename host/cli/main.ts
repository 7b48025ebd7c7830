import { Command } from 'commander';
import { commands } from './commands/index.ts';
import { version } from '../lib/index.ts';
import { chooseNode } from './context.ts';
import { nodeOption, type NodeOption } from './options.ts';
import { exitCodeOf, explain } from './output.ts';

const program = new Command('pwp')
  .description('Programming with Pixels: one live VS Code that agents and people share')
  .version(version)
  .showHelpAfterError();

for (const add of commands) {
  add(program);
}

addNodeOption(program);
program.hook('preAction', (_, command) => chooseNode(command.opts<NodeOption>().node));

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = exitCodeOf(error);
}

/** Commands that need no node take the option as well, since `PWP_NODE` may be set for all. */
function addNodeOption(command: Command): void {
  if (command.commands.length === 0) command.addOption(nodeOption());
  for (const sub of command.commands) addNodeOption(sub);
}
