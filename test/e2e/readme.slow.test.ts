import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BoundedOutput } from '../../bridge/lib/index.ts';
import { Cli, cliPath, type CliResult, projectFolder } from '../support/cli.ts';
import { type Block, blocksOf } from '../support/readme.ts';

/** The value that a reader takes from a command's output for `<name>` in the commands that follow. */
const placeholders: readonly (readonly [command: RegExp, name: string, found: RegExp])[] = [
  [/^npx pwp up /, 'id', /^(\S+) is ready/m],
  [/^npx pwp inspect <id> marks /, 'number', /\[(\d+)\] tab "hello\.py"/],
  [/^npx pwp checkpoint /, 'checkpoint', /^(\S+) saved:/m],
  [/^npx pwp fork /, 'fork', /^(\S+)/m],
];

describe("the README's tour", function () {
  this.timeout(900_000);
  let folder: string;
  let blocks: readonly Block[];
  const known = new Map<string, string>();
  const printed = new Map<string, CliResult>();

  before(async () => {
    blocks = await blocksOf('A tour of five minutes');
    folder = await mkdtemp(join(tmpdir(), 'pwp-readme-'));
    await mkdir(join(folder, 'path/to/project'), { recursive: true });
    await writeFile(join(folder, 'path/to/project/hello.py'), '# TODO: greet\nprint("hello")\n');
    await symlink(join(projectFolder, 'tasks'), join(folder, 'tasks'));
  });
  after(async () => {
    const cli = new Cli(undefined);
    for (const name of ['fork', 'id']) {
      const id = known.get(name);
      if (id !== undefined) await cli.pwp('down', id);
    }
    const checkpoint = known.get('checkpoint');
    if (checkpoint !== undefined) await cli.pwp('checkpoints', 'delete', checkpoint);
    await rm(folder, { recursive: true, force: true });
  });

  it('runs as printed, line by line', async () => {
    for (const { language, lines } of blocks) {
      if (language !== 'sh') continue;
      for (const line of lines) {
        const result = await run(filled(line));
        printed.set(line, result);
        assert.equal(result.code, 0, `${line}\n${result.stdout}${result.stderr}`);
        learn(line, result.stdout);
      }
    }
  });

  it('prints the output it shows', () => {
    const shown = blocks.filter(({ language }) => language === '').flatMap(({ lines }) => lines);
    assert.ok(shown.length > 0);
    const all = [...printed.values()].map(({ stdout }) => stdout).join('\n');
    for (const line of shown) assert.ok(all.includes(line), `nothing printed ${line}`);
  });

  function filled(line: string): string {
    return line.replaceAll(/<(\w+)>/g, (_, name: string) => {
      const value = known.get(name);
      assert.ok(value !== undefined, `nothing printed before says what <${name}> is: ${line}`);
      return value;
    });
  }

  function learn(line: string, output: string): void {
    for (const [command, name, found] of placeholders) {
      if (!command.test(line)) continue;
      const value = found.exec(output)?.[1];
      assert.ok(value !== undefined, `no ${name} in what ${line} printed:\n${output}`);
      known.set(name, value);
    }
  }

  /**
   * Runs it in a shell in which `npx pwp` is the built command line. A command that runs until Ctrl-C is stopped once it
   * has printed a line.
   */
  async function run(line: string): Promise<CliResult> {
    const script = `npx() { shift; exec node "$CLI" "$@"; }; ${line}`;
    const env = { ...process.env, CLI: cliPath };
    const child = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err] = [
      new BoundedOutput(child.stdout, 10_000_000),
      new BoundedOutput(child.stderr, 10_000_000),
    ];
    if (/^npx pwp watch /.test(line)) child.stdout.once('data', () => child.kill('SIGINT'));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code: code ?? 1, stdout: out.text(), stderr: err.text() };
  }
});
