import { join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { describeError } from '../../../bridge/lib/index.ts';
import { packageFolder } from '../../lib/index.ts';
import { writeChanged } from './extension-packages.ts';

// `node host/node/setup/roll-up-types.ts`: rolls the types of the library's public door up into `dist/index.d.ts`, which imports
// nothing but packages that this one depends on.

const root = packageFolder();

async function rollUpTypes(): Promise<string> {
  const bundle = await rollup({
    input: join(root, 'host/doors/library.ts'),
    plugins: [
      dts({
        tsconfig: join(root, 'tsconfig.base.json'),
        compilerOptions: { composite: false, incremental: false },
      }),
    ],
    external: (id) => !/^[./]/.test(id),
    onwarn: (warning) => {
      throw new Error(warning.message);
    },
  });
  try {
    return (await bundle.generate({ format: 'es' })).output[0].code;
  } finally {
    await bundle.close();
  }
}

try {
  await writeChanged(join(root, 'dist/index.d.ts'), Buffer.from(await rollUpTypes()));
} catch (error) {
  process.stderr.write(`pwp: can't roll up the types: ${describeError(error)}\n`);
  process.exitCode = 1;
}
