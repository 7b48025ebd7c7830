import assert from 'node:assert/strict';
import { Command, CommanderError } from 'commander';
import { PwpError } from '../../../bridge/lib/index.ts';
import { addCommands } from '../../../host/doors/cli/commands/command-list.ts';
import { errorJson, explainError } from '../../../host/doors/cli/output.ts';

/** All commands with an action, by name. */
function leaves(command: Command, name = ''): [string, Command][] {
  if (command.commands.length === 0) return [[name, command]];
  return command.commands.flatMap((sub) => leaves(sub, `${name} ${sub.name()}`.trim()));
}

describe('the commands', () => {
  it('are each loaded by its own name, and all by any other word', async () => {
    const all = new Command('pwp');
    await addCommands(all, 'help');
    for (const name of all.commands.map((one) => one.name())) {
      const alone = new Command('pwp');
      await addCommands(alone, name);
      assert.deepEqual(
        alone.commands.map((one) => one.name()),
        [name],
      );
    }
    assert.ok(all.commands.length > 30);
  });

  it('print JSON, except those whose output is a protocol', async () => {
    const program = new Command('pwp');
    await addCommands(program, undefined);
    const without = leaves(program).filter(
      ([, command]) => !command.options.some(({ long }) => long === '--json'),
    );
    assert.deepEqual(
      without.map(([name]) => name),
      ['mcp', 'attempt'],
    );
  });

  it('print errors with causes and advice, and nothing twice', () => {
    const cause = new Error('no room');
    const named = new PwpError('no-such-folder', "a can't be copied: no room", { cause });
    assert.equal(explainError(named), "pwp: a can't be copied: no room");
    const other = new PwpError('disk-full', 'the disk is full', { help: 'Free some.', cause });
    assert.equal(explainError(other), 'pwp: the disk is full\n  Free some.\n  because: no room');
  });

  it('print errors as JSON with their code, help and causes', () => {
    const cause = new Error('no room');
    const error = new PwpError('disk-full', 'the disk is full', { help: 'Free some.', cause });
    const expected = {
      code: 'disk-full',
      message: 'the disk is full',
      help: 'Free some.',
      causes: ['no room'],
    };
    assert.deepEqual(errorJson(error), { error: expected });
    const wrong = new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'");
    assert.deepEqual(errorJson(wrong), {
      error: { code: 'usage', message: "unknown option '--x'", causes: [] },
    });
  });
});
