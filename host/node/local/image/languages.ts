import { access, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { contentHash } from '../../../lib/index.ts';
import type { Language } from '../../languages.ts';
import { requireBuilder } from './base.ts';
import type { LayerRecipe, Workshop } from './layer.ts';
import { layerFolder } from './store.ts';

const script = 'layer.sh';
const prefix = 'languages-';

/**
 * A layer between the lower one and ours, with the packages of a set of languages. One for each set: Debian keeps one
 * list of installed packages, and two such lists can't be merged.
 * @param source the folder of the sandbox's image
 * @param base the layer that it is installed on
 */
export async function languagesRecipe(
  source: string,
  languages: readonly Language[],
  base: LayerRecipe,
): Promise<LayerRecipe> {
  const folder = join(source, 'languages');
  const inputs = [script, ...languages.map((name) => `${name}.txt`)];
  const key = await contentHash(
    inputs.map((name) => join(folder, name)),
    [base.key, ...languages, 'languages 1'],
  );
  const name = `${prefix}${languages.join('-')}`;
  return { name, key, fill: (workshop) => fillLanguages(source, inputs, { languages, base }, workshop) };
}

/** The languages of a layer by its name; none of any other layer. */
export function languagesIn({ name }: { readonly name: string }): readonly string[] {
  return name.startsWith(prefix) ? name.slice(prefix.length).split('-') : [];
}

interface What {
  readonly languages: readonly Language[];
  readonly base: LayerRecipe;
}

async function fillLanguages(
  source: string,
  inputs: readonly string[],
  { languages, base }: What,
  { rootfs, scratch, progress, run }: Workshop,
): Promise<void> {
  requireBuilder();
  progress.stage(`Adding ${languages.join(', ')}`, 0);
  const below = join(rootfs, '../..', layerFolder(base), 'rootfs');
  await access(below).catch((cause: unknown) => {
    throw new PwpError('image-missing', `there is no layer in ${below} to build on`, { cause });
  });
  const [kit, work] = [join(scratch, 'kit'), join(scratch, 'work')];
  for (const path of [kit, work]) await mkdir(path);
  await copyFile(join(source, 'packages.txt'), join(kit, 'packages.txt'));
  for (const name of inputs) await copyFile(join(source, 'languages', name), join(kit, name));
  const argv = ['bash', join(kit, script), kit, below, rootfs, work, ...languages];
  await run(argv, { isolated: true });
}
