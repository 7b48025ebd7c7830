import { PwpError } from '../../../bridge/lib/index.ts';
import type { Dataset, DatasetAbout } from '../contract.ts';
import { repeatedIds } from '../records/index.ts';
import { codeBases } from './folders.ts';
import { ideBenchTask } from './task.ts';

const about: DatasetAbout = {
  name: 'ide-bench',
  title: 'IDE-Bench',
  family: 'IDE-Bench',
  records: 80,
  source: 'https://www.ide-bench.com',
  licence: 'none stated',
  metric: 'run_tests.sh of the code base succeeds for the task, in a sandbox that the agent never touched',
  agentCode: 'beside',
  files: [
    'datasets/<name>/{Dockerfile,run_tests.sh,tasks/<task>/{task_description.txt,task_diff.txt,task_tests.*}}',
  ],
  needs: [
    'C and C++, Go, Rust, Java, or what charts and tables in Python need, where a Dockerfile asks for it: --with cpp,go,rust,java,charts (docs/languages.md)',
    'further packages of a Dockerfile, e.g. of pip, are not installed: a task whose reference fails for that has no score',
    'Maven finds what Debian has, one version of each artifact: a POM that asks for another one fails',
  ],
};

export const ideBench: Dataset = {
  about,
  open: async (path) => {
    const bases = await codeBases(about, path);
    const all = bases.flatMap((base) =>
      base.tasks.map((task) => ({ id: `${base.name}/${task}`, base, task })),
    );
    const repeated = repeatedIds(all.map(({ id }) => id));
    const records = all.filter((_, index) => !repeated.has(index));
    return {
      ids: records.map(({ id }) => id),
      lacking: new Map([...repeated].map(([index, why]) => [`${all[index]?.id} (${index + 1})`, why])),
      load: async (id) => {
        const found = records.find((one) => one.id === id);
        if (found) return await ideBenchTask(about, found.base, found.task);
        throw new PwpError('no-such-record', `${about.title} has no task ${id} in ${path}`, {
          help: `pwp datasets list ${about.name} --data ${path} lists all.`,
        });
      },
    };
  },
};
