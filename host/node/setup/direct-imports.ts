import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/** One statement over named imports from a folder's door, as the formatter writes it. */
const importFromDoor = /^(import|export) (type )?\{([^}]*)\} from '(\.[^']*\/index\.ts)';/gm;

/**
 * Lets each import through a door (`index.ts`) go to the file that has the name. esbuild puts a file into the chunks of
 * all that can reach it, so through doors every command would load the whole program.
 */
export function directImports(): Plugin {
  const doors = new Map<string, ReadonlyMap<string, string>>();
  return {
    name: 'direct-imports',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (/[\\/]node_modules[\\/]/.test(path)) return undefined;
        const text = await readFile(path, 'utf8');
        return {
          contents: text.replaceAll(importFromDoor, (...match) => rewrite(path, match, doors)),
          loader: 'ts',
        };
      });
    },
  };
}

function rewrite(
  file: string,
  [whole, keyword, types, names, door]: readonly unknown[],
  doors: Map<string, ReadonlyMap<string, string>>,
): string {
  if (types !== undefined) return '';
  const found = readDoor(resolve(dirname(file), String(door)), doors);
  const lines = splitNames(String(names)).map(({ imported, written }) => {
    const target = found.get(imported);
    if (target === undefined) return undefined;
    const path = relative(dirname(file), target).replaceAll('\\', '/');
    return `${String(keyword)} { ${written} } from './${path}';`;
  });
  return lines.includes(undefined) ? String(whole) : lines.join(' ');
}

/** The file of each value that a door exports, through the doors behind it. */
function readDoor(
  door: string,
  doors: Map<string, ReadonlyMap<string, string>>,
): ReadonlyMap<string, string> {
  const known = doors.get(door);
  if (known) return known;
  const found = new Map<string, string>();
  doors.set(door, found);
  for (const [, keyword, types, names = '', from = ''] of readFileSync(door, 'utf8').matchAll(
    /^(export) (type )?\{([^}]*)\} from '(\.[^']*)';/gm,
  )) {
    if (types !== undefined || keyword === undefined) continue;
    const target = resolve(dirname(door), from);
    for (const { imported } of splitNames(names))
      found.set(
        imported,
        target.endsWith('/index.ts') ? (readDoor(target, doors).get(imported) ?? target) : target,
      );
  }
  return found;
}

/** The values among names such as `a, type B, c as d`. */
function splitNames(names: string): { readonly imported: string; readonly written: string }[] {
  return names
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((written) => ({ imported: written.split(' as ')[0] ?? written, written }));
}
