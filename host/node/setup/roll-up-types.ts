import { join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { describeError } from '../../../bridge/lib/index.ts';
import { packageFolder } from '../../lib/index.ts';
import { libraryEntries } from './build-dist.ts';
import { writeChanged } from './extension-packages.ts';

// `node host/node/setup/roll-up-types.ts`: rolls the types of the library up into `dist/library`, which imports nothing but
// packages that this one depends on.

const root = packageFolder();

async function rollUpTypes(): Promise<void> {
  const bundle = await rollup({
    input: Object.fromEntries(libraryEntries.map(({ name, entry }) => [name, join(root, entry)])),
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
    const { output } = await bundle.generate({
      format: 'es',
      entryFileNames: '[name].d.ts',
      chunkFileNames: 'shared-types.d.ts',
      manualChunks: (id) => (libraryEntries.some(({ entry }) => id === join(root, entry)) ? null : 'shared'),
    });
    for (const file of output)
      if (file.type === 'chunk')
        await writeChanged(join(root, 'dist/library', file.fileName), Buffer.from(file.code));
  } finally {
    await bundle.close();
  }
}

try {
  await rollUpTypes();
} catch (error) {
  process.stderr.write(`pwp: can't roll up the types: ${describeError(error)}\n`);
  process.exitCode = 1;
}
