import { join } from 'node:path';
import { imagePrograms, PwpError } from '../../../../bridge/lib/index.ts';
import type { TaskImage } from '../../format/index.ts';
import { readDataText } from '../records/index.ts';
import { startsPrograms } from './harbor-services.ts';

/** Entry points that only start the command that they are given. */
const plainEntryPoint =
  /^(?:\[\s*\]|\[?\s*"?(?:[^\s"]*\/)?(?:sh|bash|env|tini|dumb-init|catatonit)"?(?:[\s,]+"?--?[a-z]*"?)*\s*\]?)$/;

/** The program by which the image of a Dockerfile starts any other; undefined if that does nothing else. */
export async function findEntryPoint(folder: string): Promise<string | undefined> {
  const text = await readDataText(join(folder, 'Dockerfile')).catch(() => '');
  const last = [...text.matchAll(/^\s*(FROM|ENTRYPOINT)\s+(.+)$/gim)].at(-1);
  const [, word = '', program = ''] = last ?? [];
  return word.toUpperCase() === 'ENTRYPOINT' && !plainEntryPoint.test(program.trim())
    ? program.trim()
    : undefined;
}

/** Where a sandbox has what its image says of itself. */
const imageFile = '/ide/image.json';
const mostScriptBytes = 1024 * 1024;
const findProgram = 'command -v -- "$1"';

/**
 * Refuses an image that starts programs with each container, be it by its own ENTRYPOINT or by that of the image that it
 * begins with. A script that only prepares the command that it is given is run by the IDE. Errors: `unsupported`.
 */
export async function checkEntryPoint(image: TaskImage): Promise<void> {
  await using sandbox = await image.start([]);
  const said = Buffer.from((await sandbox.readFile(imageFile, mostScriptBytes)) ?? '{}').toString('utf8');
  const { entrypoint = [] } = JSON.parse(said) as { readonly entrypoint?: readonly string[] };
  const [program] = entrypoint;
  if (program === undefined || plainEntryPoint.test(JSON.stringify(entrypoint))) return;
  const { stdout } = await sandbox.exec(
    {
      argv: [imagePrograms.bash, '--noprofile', '--norc', '-c', findProgram, 'find', program],
      ...{ cwd: '/', env: {}, timeoutMs: 10_000, maxOutputBytes: 10_000 },
    },
    { signal: image.signal },
  );
  const bytes = stdout === '' ? null : await sandbox.readFile(stdout.trim(), mostScriptBytes);
  const script = Buffer.from(bytes ?? '').toString('utf8');
  if (/^#!/.test(script) && /^\s*exec\b.*"\$@"/m.test(script) && !startsPrograms(script)) return;
  throw new PwpError(
    'unsupported',
    `the image ${image.name} starts a program with each container, which does not run here (ENTRYPOINT ${JSON.stringify(entrypoint)})`,
    { help: 'docs/datasets.md says which tasks of Harbor can be run.' },
  );
}
