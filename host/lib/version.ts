import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './paths.ts';

/** Set by the bundler; absent if the sources are run as they are. */
declare const __PWP_VERSION__: string | undefined;

/** The version of this package, from its package.json. */
export const version: string = typeof __PWP_VERSION__ === 'string' ? __PWP_VERSION__ : packageVersion();

/** The present version in package.json. */
export function packageVersion(root: string = packageFolder()): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return manifest.version;
}
