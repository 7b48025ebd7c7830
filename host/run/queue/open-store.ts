import { resolve } from 'node:path';
import type { Cancellable } from '../../../bridge/lib/index.ts';
import { BlobFolder, type BlobStore } from './blob-store.ts';
import { isS3Address, readS3Place } from './s3-place.ts';
import { S3Store } from './s3-store.ts';

/**
 * The store at an address, which {@link BlobStore.check} reaches. Errors: those of {@link readS3Place}.
 * @param address `s3://bucket/prefix`, or a folder
 * @example
 * const store = openBlobStore('s3://studies/pwp');
 * await store.check();
 * await store.put('files/ab.tar', '/tmp/files.tar');
 */
export function openBlobStore(address: string): BlobStore {
  return isS3Address(address) ? new S3Store(readS3Place(address)) : new BlobFolder(resolve(address));
}

/** Removes all files whose names begin so. */
export async function removeBlobs(store: BlobStore, prefix: string, options?: Cancellable): Promise<void> {
  for await (const { name } of store.list(prefix, options)) await store.remove(name, options);
}
