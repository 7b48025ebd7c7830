import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';

/** @param files text of each file, by its path in the archive */
export async function tarOf(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-bench-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of create({ cwd: folder, portable: true }, Object.keys(files)))
      chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
