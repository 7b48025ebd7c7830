import { Command, CommanderError } from 'commander';
import { programVersion } from '../../lib/index.ts';
import { addCommands } from './commands/index.ts';
import { chooseNode } from './node-choice.ts';
import { languagesOption, type LanguagesOption, nodeOption, type NodeOption } from './options.ts';
import {
  chooseExitCode,
  errorJson,
  explainError,
  outliveReaders,
  printJson,
  programName,
  withProgramName,
} from './output.ts';

const program = new Command(programName)
  .description('Programming with Pixels: one live VS Code that agents and people share')
  .version(programVersion)
  // One line that says what is wrong and one that says where to look, without the whole help.
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'pwp: ')) })
  .showHelpAfterError(withProgramName('  See: pwp --help, pwp <command> --help'))
  // Only names and arguments: `[options]` after each would leave no room for the descriptions in 80 columns.
  .configureHelp({ minWidthToWrap: 20, subcommandTerm: formatCommandTerm })
  .exitOverride();

outliveReaders();
const [, , first] = process.argv;
if (first !== '--version' && first !== '-V') await addCommands(program, first);

addNodeOptions(program);
program.hook('preAction', (_, command) => {
  const { node, with: languages = [] } = command.opts<NodeOption & LanguagesOption>();
  chooseNode(node, languages);
});

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed these already: an error in the command line, or the requested help or version.
  if (!(error instanceof CommanderError)) process.stderr.write(`${explainError(error)}\n`);
  process.exitCode = chooseExitCode(error);
  if (process.exitCode !== 0 && process.argv.includes('--json')) printJson(errorJson(error));
}

function formatCommandTerm(command: Command): string {
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
