import assert from 'node:assert/strict';
import { Command } from 'commander';
import { addCommands } from '../../../host/doors/cli/commands/command-list.ts';
import { defaultStepLimit } from '../../../host/run/agents/choose-agent.ts';
import { chooseStepLimit } from '../../../host/run/index.ts';
import { studyConfig } from '../../../host/run/study/study-config.ts';

describe('the step limit', () => {
  const playing = ['run', 'replay', 'pair', 'eval'];
  const commandOf = async (name: string): Promise<Command> => {
    const program = new Command('pwp');
    await addCommands(program, name);
    const found = program.commands.find((one) => one.name() === name);
    assert.ok(found, name);
    return found;
  };

  for (const name of playing)
    it(`is one option of pwp ${name}, which also accepts its former name`, async () => {
      for (const [option, value] of [
        ['--max-steps', 7],
        ['-l', 7],
        ['--limit', 7],
      ] as const) {
        const command = (await commandOf(name)).exitOverride();
        let given: unknown;
        command.action(() => {
          given = command.getOptionValue('maxSteps');
        });
        const needed = name === 'run' ? ['-t', 'task'] : name === 'eval' ? [] : ['place'];
        await command.parseAsync([...needed, option, String(value)], { from: 'user' });
        assert.equal(given, value, option);
      }
      const help = (await commandOf(name)).helpInformation();
      assert.doesNotMatch(help, /--limit/);
      assert.match(help, /-l, --max-steps <n>/);
    });

  it('is 20 by default, and does not stop solutions', () => {
    for (const agent of ['cua', 'bash', 'assisted', 'exec:./mine']) assert.equal(chooseStepLimit(agent), 20);
    for (const agent of ['oracle', 'oracle-gui', 'null']) assert.ok(chooseStepLimit(agent) > 100);
    assert.equal(chooseStepLimit('oracle-gui', 5), 5);
    const study = studyConfig.parse({ tasks: ['t'], agents: [{ agent: 'cua' }] });
    assert.equal(study.max_steps, defaultStepLimit);
  });
});
