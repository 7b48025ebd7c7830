import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { addCommands, hasSetting } from '../../../host/doors/cli/index.ts';
import { givenSettings } from '../../../host/doors/cli/setting-options.ts';
import { renderSettingsPage } from '../../../host/doors/docs/settings-page.ts';
import { packageFolder, type SettingSchemas, swapKeyForms } from '../../../host/lib/index.ts';
import { nullAgent } from '../../../host/run/agents/index.ts';
import { chooseMaxSteps } from '../../../host/run/episode/episode.ts';
import { AgentChat, agentSettings, keepAgentSettings, studySettings } from '../../../host/run/index.ts';

async function findCommand(name: string): Promise<Command> {
  const program = new Command('pwp');
  await addCommands(program, name);
  const found = program.commands.find((one) => one.name() === name);
  assert.ok(found, name);
  return found.exitOverride().configureOutput({ writeErr: () => undefined });
}

/** The settings that a command line gives. */
async function read(name: string, args: readonly string[], schemas: SettingSchemas): Promise<object> {
  const command = await findCommand(name);
  const needed = name === 'run' ? ['-t', 'task'] : name === 'eval' ? [] : ['place'];
  command.action(() => undefined);
  await command.parseAsync([...needed, ...args], { from: 'user' });
  return givenSettings(command.opts(), schemas);
}

/** The settings for which a command has no option. */
async function missingOptions(name: string, schemas: SettingSchemas): Promise<string[]> {
  const command = await findCommand(name);
  return Object.keys(schemas).filter((key) => !hasSetting(command, schemas[key] as SettingSchemas[string]));
}

const playing = ['run', 'replay', 'pair', 'eval'];

describe('the options of settings', () => {
  for (const name of playing)
    it(`of agents are all options of pwp ${name}`, async () => {
      assert.deepEqual(await missingOptions(name, agentSettings.shape), ['name']);
    });

  it('of studies are all options of pwp eval', async () => {
    assert.deepEqual(await missingOptions('eval', studySettings.shape), ['agents']);
  });

  it('give what a file and a program would', async () => {
    const args = ['--max-output', '900', '--view', '800x600', '--thinking', '2000', '--no-stream'];
    const given = await read('eval', [...args, '--observe', 'picture', 'focus'], agentSettings.shape);
    const expected = {
      observe: ['picture', 'focus'],
      view: { width: 800, height: 600 },
      ...{ thinking: 2000, maxOutput: 900, stream: false },
    };
    assert.deepEqual(given, expected);
    const file = { max_output: 900, view: { width: 800, height: 600 } };
    assert.deepEqual(swapKeyForms(file), { maxOutput: 900, view: { width: 800, height: 600 } });
    assert.deepEqual(await read('eval', [], agentSettings.shape), {});
    assert.deepEqual(
      await read('eval', ['--max-cost', '$2.50', '--suppress', 'random'], studySettings.shape),
      {
        maxCost: 2.5,
        suppress: 'random',
      },
    );
  });

  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [
      ['--max-steps', '0'],
      /--max-steps <n>' argument '0' is invalid. expected a whole number from 1 to 100000/,
    ],
    [['--max-steps', '1e3'], /expected a whole number/],
    [['--temperature', 'hot'], /expected a number from 0 to 10/],
    [['--view', 'big'], /expected e.g. 1280x720/],
    [['--max-cost', '-1'], /expected a number above 0, e.g. 2.50/],
    [['--observe', 'everything'], /Allowed choices are picture, /],
    [['--base-url', 'nowhere'], /expected e.g. http/],
  ];
  for (const [args, message] of wrong)
    it(`are refused with what is allowed: ${args.join(' ')}`, async () => {
      await assert.rejects(
        read('pair', args, {}),
        (error) => error instanceof CommanderError && message.test(error.message),
      );
    });

  for (const name of playing)
    it(`of pwp ${name} have one for steps, which is also accepted by its former name`, async () => {
      for (const option of ['--max-steps', '-l', '--limit'])
        assert.deepEqual(await read(name, [option, '7'], { maxSteps: studySettings.shape.maxSteps }), {
          maxSteps: 7,
        });
      assert.doesNotMatch((await findCommand(name)).helpInformation(), /--limit/);
    });
});

describe('the maximum of steps', () => {
  it('is 20 by default, and does not stop scripts', () => {
    const agent = { name: 'mine' };
    assert.equal(chooseMaxSteps({ agent }), 20);
    assert.equal(studySettings.parse({ tasks: ['t'], agents: [{ agent: 'cua' }] }).maxSteps, 20);
    assert.equal(chooseMaxSteps({ agent: nullAgent() }), 1000);
    assert.equal(chooseMaxSteps({ agent: nullAgent(), maxSteps: 5 }), 5);
  });

  it('does not stop agents whose session people end', () => {
    assert.equal(chooseMaxSteps({ agent: { name: 'mine' }, chat: new AgentChat('mine') }), 1000);
  });
});

describe('the settings of an agent', () => {
  it('are those that it takes', () => {
    const given = { tools: 'bash', maxPictures: 3, answerTimeout: 5 };
    assert.deepEqual(keepAgentSettings('cua', given), given);
    assert.deepEqual(keepAgentSettings('exec:./mine', given), { tools: 'bash', answerTimeout: 5 });
    assert.deepEqual(keepAgentSettings('oracle', given), {});
  });

  it('are what docs/settings.md says; else run: node_modules/.bin/node host/doors/docs/write-docs.ts', async () => {
    const page = await readFile(join(packageFolder(), 'docs/settings.md'), 'utf8');
    assert.equal(page, await renderSettingsPage());
  });
});
