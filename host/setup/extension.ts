import { access, readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { PwpError } from '../../bridge/lib/index.ts';
import { languageModelTools } from '../../bridge/protocol/index.ts';
import { contentHash, packageVersion } from '../lib/index.ts';
import { copyChanged, keepOnly, writeChanged } from './output.ts';

/** Files of an extension's folder beside its code; missing ones are left out. */
const parts = ['package.json', 'README.md', 'media'];

/**
 * Fills `dist/extension/` with all but the code. Errors: `usage`.
 * @param pictures where those of the README are published, an https address
 */
export async function layOutExtension(
  root: string,
  pictures: string | undefined = process.env.PWP_README_PICTURES,
): Promise<void> {
  const [source, target] = [join(root, 'extension'), join(root, 'dist/extension')];
  const there = (await readdir(source)).filter((name) => parts.includes(name));
  for (const name of there) await layOut(join(source, name), join(target, name), pictures);
  await copyChanged(join(root, 'LICENSE'), join(target, 'LICENSE'));
  await keepOnly(target, [...there, 'LICENSE', 'extension.cjs']);
}

/** Generates the tools for chats in package.json and the addresses of the README's pictures; copies all else. */
async function layOut(source: string, target: string, pictures: string | undefined): Promise<void> {
  const name = basename(source);
  if (name === 'package.json')
    await writeChanged(target, Buffer.from(withTools(await readFile(source, 'utf8'))));
  else if (name === 'README.md')
    await writeChanged(target, Buffer.from(withPictures(await readFile(source, 'utf8'), pictures)));
  else await copyChanged(source, target);
}

/** As VS Code wants them declared: generated from the registry that serves them. */
function withTools(text: string): string {
  const manifest = JSON.parse(text) as { readonly contributes: object };
  const contributes = { ...manifest.contributes, languageModelTools: languageModelTools() };
  return `${JSON.stringify({ ...manifest, version: packageVersion(), contributes }, null, 2)}\n`;
}

/**
 * The Marketplace and VS Code show a picture of a README only from the web, neither from the extension's folder nor
 * from within the text. So without an address they are left out; the walkthrough has them, too.
 * Errors: `usage`.
 */
export function withPictures(readme: string, pictures: string | undefined): string {
  const line = /^!\[([^\]]*)\]\(media\/([\w-]+\.png)\)\n\n?/gm;
  if (!pictures) return readme.replaceAll(line, '');
  if (!URL.canParse(pictures) || new URL(pictures).protocol !== 'https:')
    throw new PwpError('usage', `PWP_README_PICTURES: ${pictures} is not an https address`);
  const folder = pictures.replace(/\/*$/, '');
  return readme.replaceAll(line, (_, text: string, name: string) => `![${text}](${folder}/${name})\n\n`);
}

/** Packs `dist/extension/` as `dist/pwp.vsix`, for other people's VS Code; not again when it has not changed. */
export async function packExtension(root: string): Promise<void> {
  const folder = join(root, 'dist/extension');
  const vsix = join(root, 'dist/pwp.vsix');
  const stamp = `${vsix}.key`;
  const key = await contentHash([folder]);
  if ((await exists(vsix)) && (await readFile(stamp, 'utf8').catch(() => '')) === key) return;
  // The program and not its library: that one talks to standard output.
  const options = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    vsix,
  ];
  const { exitCode, all } = await execa('vsce', ['package', ...options], {
    cwd: folder,
    preferLocal: true,
    localDir: root,
    all: true,
    reject: false,
  });
  if (exitCode !== 0 || /\bWARNING\b/.test(all))
    throw new PwpError('bundle-failed', `can't pack the extension:\n${all}`);
  await writeFile(stamp, key);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
