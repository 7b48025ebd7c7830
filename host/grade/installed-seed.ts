import { readPackages } from '../node/index.ts';
import { archive, textEntry, type Entry, type TaskSeed } from '../tasks/index.ts';

const folder = '/ide/extensions';

/** All extensions of the gallery, installed, with the list that code-server keeps of them. */
export async function installedSeed(): Promise<TaskSeed> {
  const all = [...(await readPackages()).values()].map((one) => ({
    ...one,
    place: `${one.id}-${one.manifest.version}`,
  }));
  const list = all.map(({ id, manifest: { version }, place }) => ({
    identifier: { id },
    version,
    location: { $mid: 1, path: `${folder}/${place}`, scheme: 'file' },
    relativeLocation: place,
  }));
  const entries = all.flatMap(({ place, files }) =>
    [...files].map(([path, content]): Entry => ({
      kind: 'file',
      path: `${place}/${path}`,
      content,
      executable: false,
    })),
  );
  return { path: folder, tar: archive([textEntry('extensions.json', JSON.stringify(list)), ...entries]) };
}
