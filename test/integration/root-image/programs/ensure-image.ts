import { neverAborted } from '../../../../bridge/lib/index.ts';
import { silentProgress } from '../../../../host/lib/index.ts';
import { ensureRootImage } from '../../../../host/node/root-image/index.ts';

// `node ensure-image.ts <home> <reference>`: fetches an image, for a test that kills it meanwhile.

const [, , home = '', reference = ''] = process.argv;
const { digest } = await ensureRootImage(reference, { home, progress: silentProgress, signal: neverAborted });
process.stdout.write(`${digest}\n`);
