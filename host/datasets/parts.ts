import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../lib/index.ts';
import { textEntry, type AgentCode, type Entry, type RawTaskConfig } from '../tasks/index.ts';
import type { DatasetAbout } from './contract.ts';
import { safeName } from './records/index.ts';

const start = '#!/bin/bash\nexec /usr/bin/python3 -I -S /tests/check.py\n';

/** The id of a record's task, e.g. `humaneval/HumanEval-0`. */
export function taskId({ name }: DatasetAbout, id: string): string {
  return `${name}/${safeName(id)}`;
}

export interface ConfigOptions {
  /** Seconds that the agent may work. Default 1800. */
  readonly agentSeconds?: number;
  /** Seconds that the tests may take. Default 120. */
  readonly testSeconds?: number;
  /** Files that are open at the start, relative to the workspace. */
  readonly open?: readonly string[];
  /** Files and folders below `tests/` whose content the agent is given, e.g. `tests/prompt.py`. */
  readonly knownInside?: readonly string[];
  readonly environment?: RawTaskConfig['environment'];
  /** For this record, where it differs from its dataset. */
  readonly agentCode?: AgentCode;
}

/** The configuration of a dataset's task. */
export function configOf(about: DatasetAbout, options: ConfigOptions = {}): RawTaskConfig {
  const { agentSeconds = 1800, testSeconds = 120, open = [], knownInside = [], environment = {} } = options;
  const { agentCode = about.agentCode } = options;
  return {
    version: '1.0',
    metadata: {
      author_name: `the owners of ${about.title}`,
      author_email: about.source,
      difficulty: 'medium',
      category: about.name,
    },
    agent: { timeout_sec: agentSeconds },
    verifier: { timeout_sec: testSeconds },
    environment,
    pwp: {
      features: ['text-editing'],
      open: [...open],
      known_inside: [...knownInside],
      agent_code: agentCode,
    },
  };
}

/**
 * The tests of a dataset written in Python: the files of `host/datasets/<name>/grader/`, those that datasets share, a
 * `test.sh` that starts `check.py` of these, and the record's own data.
 * @param data texts by path below /tests, e.g. `record.json`
 */
export async function pythonTests(
  { name }: Pick<DatasetAbout, 'name'>,
  data: Readonly<Record<string, string>>,
): Promise<Entry[]> {
  const own = await graderFiles(name, 'grader');
  const shared = await graderFiles('grader');
  const entries = Object.entries(data).map(([path, text]) => textEntry(path, text));
  return [textEntry('test.sh', start), ...shared, ...own, ...entries];
}

async function graderFiles(...path: string[]): Promise<Entry[]> {
  const folder = join(packageFolder(import.meta.url), 'host/datasets', ...path);
  const names = (await readdir(folder)).filter((file) => file.endsWith('.py')).sort();
  return Promise.all(names.map(async (file) => textEntry(file, await readFile(join(folder, file), 'utf8'))));
}
