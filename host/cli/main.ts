import { Command, CommanderError } from 'commander';
import { commands } from './commands/index.ts';
import { version } from '../lib/index.ts';
import { chooseLanguages, chooseNode } from './context.ts';
import { languagesOption, nodeOption, type LanguagesOption, type NodeOption } from './options.ts';
import { errorJson, exitCodeOf, explain, print } from './output.ts';
import { asTyped, programName } from './program-name.ts';
import { outliveReaders } from './stdout.ts';

const program = new Command(programName)
  .description('Programming with Pixels: one live VS Code that agents and people share')
  .version(version)
  // One line that says what is wrong and one that says where to look, without the whole help.
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'pwp: ')) })
  .showHelpAfterError(asTyped('  See: pwp --help, pwp <command> --help'))
  // Only names and arguments: `[options]` after each would leave no room for the descriptions in 80 columns.
  .configureHelp({ minWidthToWrap: 20, subcommandTerm: termOf })
  .exitOverride();

outliveReaders();
for (const add of commands) {
  add(program);
}

addNodeOptions(program);
program.hook('preAction', (_, command) => {
  const { node, with: languages = [] } = command.opts<NodeOption & LanguagesOption>();
  chooseNode(node);
  chooseLanguages(languages);
});

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed these already: an error in the command line, or the requested help or version.
  if (!(error instanceof CommanderError)) process.stderr.write(`${explain(error)}\n`);
  process.exitCode = exitCodeOf(error);
  if (process.exitCode !== 0 && process.argv.includes('--json')) print(errorJson(error), true, String);
}

function termOf(command: Command): string {
  const args = command.registeredArguments.map((one) => {
    const name = one.variadic ? `${one.name()}...` : one.name();
    return one.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...args].join(' ');
}

/** Commands that need no node take the options, too, since `PWP_NODE` and `PWP_WITH` may be set for all. */
function addNodeOptions(command: Command): void {
  if (command.commands.length === 0) command.addOption(nodeOption()).addOption(languagesOption());
  for (const sub of command.commands) addNodeOptions(sub);
}
