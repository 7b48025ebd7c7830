import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of a package, wherever its `node_modules` is: the package's folder and its name. */
const packageFile = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/**
 * The licenses of the packages whose code is in the bundles, as most of them require it of copies.
 * @param files that were bundled, with absolute paths
 */
export async function describeLicenses(files: Iterable<string>): Promise<string> {
  const folders = new Map<string, string>();
  for (const file of files) {
    const [, folder, name] = packageFile.exec(file) ?? [];
    if (folder !== undefined && name !== undefined) folders.set(name, folder);
  }
  const parts = [...folders]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(async ([name, folder]) => `# ${name}\n\n${(await readLicense(folder)).trim()}\n`);
  return (await Promise.all(parts)).join('\n');
}

/** The file with the license, or what the manifest says without one. */
async function readLicense(folder: string): Promise<string> {
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFile(join(folder, file), 'utf8');
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { license?: unknown };
  return `License: ${typeof manifest.license === 'string' ? manifest.license : 'see the package'}`;
}
