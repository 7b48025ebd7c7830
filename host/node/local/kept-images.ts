import { pwpHome } from '../../lib/index.ts';
import { CheckpointStore } from './checkpoint-store/index.ts';

/** Keys of the images that checkpoints in the cache need, except golden ones: these are made again. */
export async function keptImages(home: string = pwpHome()): Promise<string[]> {
  await using store = await CheckpointStore.open(home);
  return (await store.list()).flatMap(({ key, image }) => (key === null ? [image] : []));
}
