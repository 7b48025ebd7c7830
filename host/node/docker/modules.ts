import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';

export interface Module {
  readonly name: string;
  readonly from: string;
}

/** The one module that can't be bundled, sharp, and all that it needs at run time, as `wantedBy` finds them. */
export function nativeModules(wantedBy: string): Module[] {
  const found = new Map<string, Module>();
  addModule('sharp', wantedBy, found);
  return [...found.values()];
}

function addModule(name: string, wantedBy: string, found: Map<string, Module>): void {
  if (found.has(name)) return;
  const require = createRequire(wantedBy);
  const manifest = locate(require, name);
  if (manifest === undefined) return;
  found.set(name, { name, from: dirname(manifest) });
  const { dependencies = {}, optionalDependencies = {} } = require(manifest) as Manifest;
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies }))
    addModule(next, manifest, found);
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Undefined for what npm left out because it is for other machines. */
function locate(require: NodeJS.Require, name: string): string | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return require.resolve(join(folder, name, 'package.json'));
    } catch {
      // Looked for further up.
    }
  }
  return undefined;
}
