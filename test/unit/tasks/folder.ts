import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary folder with the given files; removed when it is disposed. */
export interface TempFolder extends AsyncDisposable {
  readonly path: string;
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
}

export async function tempFolder(files: Readonly<Record<string, string>> = {}): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), 'pwp-unit-'));
  const write = async (more: Readonly<Record<string, string | Uint8Array>>) => {
    for (const [name, content] of Object.entries(more)) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), content);
    }
  };
  await write(files);
  return { path, write, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export const taskToml = `
version = "1.0"

[metadata]
author_name = "A"
author_email = "a@example.org"
difficulty = "easy"
category = "ide-configuration"

[agent]
timeout_sec = 60

[verifier]
timeout_sec = 10

[pwp]
features = ["settings"]
`;

/** The files of a small, valid task below `folder`. */
export function taskFiles(folder: string, toml = taskToml): Record<string, string> {
  return {
    [`${folder}/task.toml`]: toml,
    [`${folder}/instruction.md`]: '\nDo it.\n',
    [`${folder}/tests/test.sh`]: 'echo 1 > /logs/verifier/reward.txt\n',
  };
}
