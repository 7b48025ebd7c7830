import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleOf } from './datasets.ts';
import { makeSmallRoot } from './small-root.ts';

/** What the scripts of its tasks call, beside the programs of a small root. */
const programs = ['base64', 'chmod', 'cp', 'dirname', 'find', 'ln', 'mv', 'sh', 'tee', 'wc'];
/** Languages are those of our own image, which every sandbox has. */
const languages: Readonly<Record<string, string>> = {
  python3: '/.pwp/usr/lib/pwp/bin/python3',
  pytest: '/.pwp/usr/lib/pwp/bin/python3 -m pytest',
  node: '/.pwp/opt/node/bin/node',
};
const dockerfile = 'FROM scratch\nCOPY .root /\nWORKDIR /app\nCOPY . .\nRUN rm -rf .root\n';

/** Copies the sample of IDE-Bench to a folder, with images that no registry is needed for. */
export async function layIdeBench(folder: string): Promise<void> {
  await cp(sampleOf('ide-bench'), folder, { recursive: true });
  const children = await readdir(folder, { withFileTypes: true });
  for (const { name } of children.filter((one) => one.isDirectory())) {
    const root = join(folder, name, '.root');
    await makeSmallRoot(root, programs);
    await mkdir(join(root, 'usr/local/bin'), { recursive: true });
    await symlink('../bin', join(root, 'usr/bin'));
    for (const [program, command] of Object.entries(languages))
      await writeFile(join(root, 'usr/local/bin', program), `#!/bin/sh\nexec ${command} "$@"\n`, {
        mode: 0o755,
      });
    await writeFile(join(folder, name, 'Dockerfile'), dockerfile);
  }
}
