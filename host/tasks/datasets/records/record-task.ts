import { imagePrograms } from '../../../../bridge/lib/index.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultWorkspace } from '../../../../bridge/protocol/index.ts';
import { packageFolder } from '../../../lib/index.ts';
import { type AgentCode, type ArchiveEntry, makeTextEntry, type RawTaskConfig } from '../../format/index.ts';
import type { DatasetAbout } from './dataset.ts';
import { toSafeName } from './records.ts';

const startScript = `#!/bin/bash\nexec ${imagePrograms.python} -I -S /tests/check.py\n`;

/** The id of a record's task, e.g. `humaneval/HumanEval-0`. */
export function makeTaskId({ name }: DatasetAbout, id: string): string {
  return `${name}/${toSafeName(id)}`;
}

interface RecordConfigOptions {
  /** Seconds that the agent may work. Default 1800. */
  readonly agentSeconds?: number;
  /** Seconds that the tests may take. Default 120. */
  readonly testSeconds?: number;
  /** Files that are open at the start, relative to the workspace. */
  readonly open?: readonly string[];
  /** Files and folders below `tests/` whose content the agent is given, e.g. `tests/prompt.py`. */
  readonly knownInside?: readonly string[];
  readonly environment?: RawTaskConfig['environment'];
  /** Its own image. */
  readonly image?: string | undefined;
  /** For this record, where it differs from its dataset. */
  readonly agentCode?: AgentCode;
}

/** The configuration of a dataset's task. */
export function makeRecordConfig(about: DatasetAbout, options: RecordConfigOptions = {}): RawTaskConfig {
  const { agentSeconds = 1800, testSeconds = 120, open = [], knownInside = [], environment = {} } = options;
  const { agentCode = about.agentCode, image } = options;
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
      image,
    },
  };
}

/**
 * The tests of a dataset written in Python: the files of `host/tasks/datasets/<name>/grader/`, those that datasets share, a
 * `test.sh` that starts `check.py` of these, and the record's own data.
 * @param data texts by path below /tests, e.g. `record.json`
 */
export async function packPythonTests(
  { name }: Pick<DatasetAbout, 'name'>,
  data: Readonly<Record<string, string>>,
): Promise<ArchiveEntry[]> {
  const own = await readGraderFiles(name, 'grader');
  const shared = await readGraderFiles('grader');
  const entries = Object.entries(data).map(([path, text]) => makeTextEntry(path, text));
  return [makeTextEntry('test.sh', startScript), ...shared, ...own, ...entries];
}

async function readGraderFiles(...path: string[]): Promise<ArchiveEntry[]> {
  const folder = join(packageFolder(import.meta.url), 'host/tasks/datasets', ...path);
  const names = (await readdir(folder)).filter((file) => file.endsWith('.py')).sort();
  return Promise.all(
    names.map(async (file) => makeTextEntry(file, await readFile(join(folder, file), 'utf8'))),
  );
}

/**
 * A script that writes a text to a file of the workspace. The text is encoded: it may have lines that no shell should
 * read, and those that the agent is given anyway are not taken for a leak.
 */
export function makeWriteScript(path: string, text: string): string {
  return `${makeDecodePipe(text)} > '${defaultWorkspace}/${path}'\n`;
}

/** A pipe's beginning: it writes the text to its standard output. Lines are short enough for any shell. */
export function makeDecodePipe(text: string): string {
  const lines = Buffer.from(text)
    .toString('base64')
    .replaceAll(/.{1,1000}/g, '$&\n');
  return `printf '%s' '\n${lines}' | base64 -d`;
}
