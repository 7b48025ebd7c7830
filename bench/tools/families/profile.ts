import assert from 'node:assert/strict';
import { ide, profileTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong } from '../case.ts';

const { profileSummary, openProfile } = profileTools;

/** Self and total samples of each function of folded stacks. */
const count = `from collections import Counter
self, total = Counter(), Counter()
for line in open('stacks.folded'):
    stack, n = line.rsplit(' ', 1)
    names = stack.split(';')
    self[names[-1]] += int(n)
    for name in set(names): total[name] += int(n)
print(json.dumps(sorted([n, self[n], total[n]] for n in total)))`;

const nothing = [
  wrong('no such file', { path: 'stack.folded' }, 'not-found', /stack\.folded/),
  wrong('no profile', { path: 'notes.txt' }, 'bad-profile', /notes\.txt/),
  wrong('a folder', { path: 'src' }, 'not-a-file', /src/),
  wrong('through a link that leads out', { path: 'out.txt' }, 'outside-workspace', /out\.txt/),
];

/** Tools of CPU profiles, whose samples are counted by a small program. */
export const profileCases: readonly ToolCase[] = [
  {
    tool: profileSummary,
    right: [
      right('samples of each function', async (desk) => {
        const { functions, total } = await desk.call(profileSummary, { path: 'stacks.folded' });
        assert.deepEqual(
          functions.map(({ name, self, total: all }) => [name, self, all]).sort(),
          await desk.python(count),
        );
        assert.equal(
          String(total),
          (await desk.sh(`awk '{ n += $NF } END { print n }' stacks.folded`)).trim(),
        );
      }),
      right('a part, and that there is more', async (desk) => {
        const {
          functions,
          function_count: all,
          truncated,
        } = await desk.call(profileSummary, { path: 'stacks.folded', limit: 1 });
        assert.deepEqual(
          [functions.length, all, truncated],
          [1, ((await desk.python(count)) as unknown[]).length, true],
        );
      }),
    ],
    wrong: nothing,
  },
  {
    tool: openProfile,
    right: [
      right('the same, and a tab of it', async (desk) => {
        const { functions } = await desk.call(openProfile, { path: 'stacks.folded' });
        assert.deepEqual(
          functions.map(({ name, self, total }) => [name, self, total]).sort(),
          await desk.python(count),
        );
        const { groups } = await desk.ask(ide.tabs, {});
        assert.ok(groups.some(({ tabs }) => tabs.some(({ label }) => label.includes('stacks.folded'))));
      }),
    ],
    wrong: nothing,
  },
];
