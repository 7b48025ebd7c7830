import { access, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../bridge/lib/index.ts';
import { contentHash } from '../lib/index.ts';
import { copyChanged, keepOnly } from './output.ts';

/** What an extension's folder holds beside its code; what isn't there is left out. */
const parts = ['package.json', 'README.md', 'media', 'scripts'];

/** Fills an extension's folder in `dist/` with all but the code. */
export async function layOutExtension(root: string, from: string, to: string): Promise<void> {
  const [source, target] = [join(root, from), join(root, to)];
  const there = (await readdir(source)).filter((name) => parts.includes(name));
  for (const name of there) await copyChanged(join(source, name), join(target, name));
  await copyChanged(join(root, 'LICENSE'), join(target, 'LICENSE'));
  await keepOnly(target, [...there, 'LICENSE', 'extension.cjs']);
}

/** Packs `dist/extension/` as `dist/pwp.vsix`, for other people's VS Code; not again when it has not changed. */
export async function packExtension(root: string): Promise<void> {
  const folder = join(root, 'dist/extension');
  const vsix = join(root, 'dist/pwp.vsix');
  const stamp = `${vsix}.key`;
  const key = await contentHash([folder]);
  if ((await exists(vsix)) && (await readFile(stamp, 'utf8').catch(() => '')) === key) return;
  // The program and not its library: that one talks to standard output.
  const options = ['--no-dependencies', '--allow-missing-repository', '--out', vsix];
  const { exitCode, all } = await execa('vsce', ['package', ...options], {
    cwd: folder,
    preferLocal: true,
    localDir: root,
    all: true,
    reject: false,
  });
  if (exitCode !== 0) throw new PwpError('bundle-failed', `can't pack the extension:\n${all}`);
  await writeFile(stamp, key);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
