import { badData } from '../errors.ts';

/**
 * Paths that a multi-file unified diff touches, relative to the code base, sorted. Errors: `bad-data` for a text that
 * is not a diff, and for a path that leads out.
 */
export function pathsOf(where: string, diff: string): string[] {
  const paths = new Set(diff.replaceAll('\r\n', '\n').split('\n').flatMap(pathOf));
  if (paths.size === 0) throw badData(where, 'expected a unified diff with file names, found none');
  const bad = [...paths].find((path) => path.startsWith('/') || path.split('/').includes('..'));
  if (bad !== undefined) throw badData(where, `expected paths in the code base, found ${bad}`);
  return [...paths].sort();
}

function pathOf(line: string): string[] {
  const renamed = /^(?:rename|copy) (?:from|to) (.+)$/.exec(line)?.[1];
  if (renamed !== undefined) return [renamed];
  const found = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t]+)/.exec(line)?.[1]?.trim();
  return found === undefined || found === '/dev/null' || found === 'dev/null' ? [] : [found];
}

/** A script for bash that applies the diff as the benchmark's own oracle does. */
export function scriptThatApplies(diff: Uint8Array): string {
  const lines = Buffer.from(diff)
    .toString('base64')
    .replaceAll(/(.{100})/g, '$1\n');
  return `base64 -d <<'END' | git apply --ignore-whitespace --whitespace=nowarn -\n${lines}\nEND\n`;
}
