import './node-version.ts';
import { Command } from 'commander';
import { addCheckpoint, addFork, addRestore } from './commands/checkpoint.ts';
import { addCheckpoints } from './commands/checkpoints.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDown, addRelease } from './commands/down.ts';
import { addImages } from './commands/images.ts';
import { addInspect } from './commands/inspect.ts';
import { addMcp } from './commands/mcp.ts';
import { addRun } from './commands/run.ts';
import { addSandboxes } from './commands/sandboxes.ts';
import { addServe } from './commands/serve.ts';
import { addObserve, addStep } from './commands/step.ts';
import { addTasks } from './commands/tasks.ts';
import { addTool, addTools } from './commands/tools.ts';
import { addUp } from './commands/up.ts';
import { addWatch } from './commands/watch.ts';
import { chooseNode } from './context.ts';
import { nodeOption, type NodeOption } from './options.ts';
import { exitCodeOf, explain } from './output.ts';

const program = new Command('pwp')
  .description('Programming with Pixels: one live VS Code that agents and people share')
  .version('0.1.0')
  .showHelpAfterError();

for (const add of [
  addUp,
  addStep,
  addObserve,
  addInspect,
  addTools,
  addTool,
  addMcp,
  addServe,
  addRelease,
  addWatch,
  addCheckpoint,
  addRestore,
  addFork,
  addCheckpoints,
  addDown,
  addRun,
  addTasks,
  addSandboxes,
  addImages,
  addDoctor,
  addDemo,
]) {
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

/** Commands that need no node take the option as well: `PWP_NODE` may be set for all. */
function addNodeOption(command: Command): void {
  if (command.commands.length === 0) command.addOption(nodeOption());
  for (const sub of command.commands) addNodeOption(sub);
}
