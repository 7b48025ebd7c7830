import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadTask, withVariant } from '../../../host/tasks/index.ts';
import { noteAttack } from '../../support/attacks.ts';
import { onEachNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { slowIt } from '../../support/slow.ts';
import { taskFiles, tempFolder } from '../../unit/tasks/folder.ts';

const seen = `
  const tried = (run) => { try { return String(run()); } catch (error) { return 'refused: ' + error.code; } };
  const facts = (say) => ({ words: { said: JSON.stringify(say) } });
`;

onEachNode("a task's variant", (open, kind) => {
  let test: OpenedNode;
  let outside: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    test = await open();
    outside = await temporaryFolder();
  });
  after(async () => {
    await outside[Symbol.asyncDispose]();
    await test[Symbol.asyncDispose]();
  });

  const made = async (program: string, instruction = 'It said {{said}}.') => {
    await using folder = await tempFolder({
      ...taskFiles('f/t'),
      'f/t/instruction.md': instruction,
      'f/t/variant.mjs': program,
    });
    return await withVariant(await loadTask(join(folder.path, 'f/t')), { node: test.node });
  };

  it("is made in a sandbox, with its seed's words and files", async () => {
    const task = await withVariant(await loadTask('tasks/general-swe/debug-call-chain', { seed: 4 }), test);
    assert.doesNotMatch(task.instruction, /\{\{/);
    assert.ok((await task.seeds()).length > 0);
  });

  it('sees neither this machine nor its processes', async () => {
    const mark = join(outside.path, 'mark');
    const program = `
      import { readFileSync, writeFileSync, readdirSync } from 'node:fs';
      import { DatabaseSync } from 'node:sqlite';
      ${seen}
      export default () => {
        tried(() => { writeFileSync(${JSON.stringify(mark)}, 'x'); });
        tried(() => { new DatabaseSync(${JSON.stringify(`${mark}.db`)}).exec('create table t (a)'); });
        for (const pid of [process.ppid, ${process.pid}]) tried(() => process._debugProcess(pid));
        return facts({
          processes: readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length < 20,
          home: tried(() => readFileSync(${JSON.stringify(join(process.cwd(), 'package.json'))}, 'utf8')),
        });
      };`;
    const task = await made(program);
    assert.match(task.instruction, /"processes":true,"home":"refused: ENOENT"/);
    const held = !existsSync(mark) && !existsSync(`${mark}.db`);
    noteAttack({ on: 'a variant', what: 'writes a file of the host, also by SQLite', node: kind, held });
    noteAttack({ on: 'a variant', what: 'opens the inspector of its parent', node: kind, held });
    assert.ok(held);
  });

  const attacks: Record<string, readonly [program: string, message: RegExp]> = {
    'never ends': ['export default () => { for (;;); };', /within 20 s/],
    'answers with a file that never ends': [
      'import { symlinkSync } from "node:fs"; export default () => { symlinkSync("/dev/zero", "/variant-answer.json"); process.exit(0); };',
      /variant\.mjs: seed 0: /,
    ],
    'answers through a link to a file of the host': [
      'import { symlinkSync } from "node:fs"; export default () => { symlinkSync("/etc/passwd", "/variant-answer.json"); process.exit(0); };',
      /variant\.mjs: seed 0: /,
    ],
    'answers through a pipe': [
      'import { execFileSync } from "node:child_process"; export default () => { execFileSync("mkfifo", ["/variant-answer.json"]); process.exit(0); };',
      /variant\.mjs: seed 0: /,
    ],
    'takes all memory': [
      'export default () => { const all = []; for (;;) all.push(Buffer.alloc(64 << 20, 1)); };',
      /variant\.mjs: seed 0/,
    ],
    'asks the network': [
      'export default async () => { await fetch("http://192.0.2.1/"); };',
      /variant\.mjs: seed 0/,
    ],
    'writes files of the host by its paths': [
      'export default () => ({ files: { "tests/../../../x": "", "environment/../../y": "" } });',
      /expected a path below/,
    ],
    'answers with something other than a variant': [
      'import { writeFileSync } from "node:fs"; export default () => { writeFileSync("/variant-answer.json", "[".repeat(100000)); process.exit(0); };',
      /expected an answer in JSON/,
    ],
  };
  for (const [what, [program, message]] of Object.entries(attacks)) {
    const one = what === 'takes all memory' || what === 'never ends' ? slowIt : it;
    one(`is reported, and harms nothing, if it ${what}`, async () => {
      const failed = await made(program).then(
        () => null,
        (error: unknown) => error as Error & { code?: string },
      );
      noteAttack({ on: 'a variant', what, node: kind, held: failed?.code === 'bad-task' });
      assert.equal(failed?.code, 'bad-task', String(failed));
      assert.match(failed.message, message);
    });
  }
});
