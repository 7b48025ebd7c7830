import type { Command } from 'commander';
import { parseCount } from '../options.ts';
import { withProgramName } from '../output.ts';
import { addQueueOptions } from '../queue-options.ts';
import {
  addStudyOptions,
  composeStudy,
  defaultPriority,
  playStudy,
  type StudyCommandOptions,
} from '../study-run.ts';

const examples = `
Examples:
  pwp eval -t tasks/vscode -a oracle null --out studies/baselines
  pwp eval -t tasks -a cua assisted -m claude-opus-5 gpt-5.2 -k 3 -n 4 \\
    --budget 25usd --out studies/first --dry-run
  pwp eval -t humaneval --data humaneval --sample 20 \\
    -a assisted -m claude-opus-5 --out studies/humaneval
  pwp eval -t pwp-bench-lite --data datasets -a null oracle \\
    --out studies/lite
  pwp eval study.toml

After any interruption, kill -9 included, the same command continues the
study. Each attempt is counted once.`;

export function addEvalCommand(program: Command): void {
  const command = program
    .command('eval')
    .description('run a study: agents and models on tasks, k attempts each; continues a stopped one')
    .argument('[file]', 'a study as a TOML file; options override it')
    .addHelpText('after', withProgramName(examples));
  addQueueOptions(addStudyOptions(command), 'let workers of this queue make the attempts')
    .option(
      '--priority <n>',
      'with --queue: attempts of studies with a lower number are made first',
      parseCount,
      defaultPriority,
    )
    .action(evaluateStudy);
}

async function evaluateStudy(file: string | undefined, options: StudyCommandOptions): Promise<void> {
  await playStudy(await composeStudy(file, options), options);
}
