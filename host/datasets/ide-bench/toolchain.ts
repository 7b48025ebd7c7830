import { join } from 'node:path';
import { imageName, readDockerfile, requirementsIn, toolchainOf, type Toolchain } from '../docker/index.ts';
import { readText } from '../records/index.ts';

/** The needs of a code base: of its Dockerfile, and of the requirements that it copies. */
export async function toolchainOfBase(path: string): Promise<Toolchain> {
  const instructions = readDockerfile(await readText(join(path, 'Dockerfile')));
  const requirements = await readText(join(path, 'requirements.txt')).catch(() => '');
  const texts = instructions.flatMap(({ word, rest, documents }) => {
    if (word === 'FROM') return [imageName(rest)];
    return word === 'RUN' ? [rest, ...Object.values(documents)] : [];
  });
  return toolchainOf([...texts, ...requirementsIn(requirements)]);
}
