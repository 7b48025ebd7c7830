import type { Entry } from '../../tasks/index.ts';
import { jsonWords } from './dockerfile.ts';

/** A path below `/`, from a folder; null is `/`. */
export function joined(folder: string | null, path: string): string {
  const whole = path.startsWith('/') ? path : `${folder ?? ''}/${path}`;
  const names: string[] = [];
  for (const name of whole.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/**
 * The files that COPY or ADD brings.
 * @param tree the files of its context
 * @returns undefined for a copy from another stage or from the network, and for a source that does not exist
 */
export function copiedBy(rest: string, workdir: string | null, tree: readonly Entry[]): Entry[] | undefined {
  const flags = rest.match(/^(?:--\S+\s+)+/)?.[0] ?? '';
  if (flags.includes('--from=') || rest.includes('<<')) return undefined;
  const plain = rest.slice(flags.length);
  const words = jsonWords(plain) ?? plain.split(/\s+/);
  const target = words.at(-1) ?? '.';
  const sources = words.slice(0, -1);
  if (sources.length === 0 || sources.some((source) => source.includes('://'))) return undefined;
  const intoFolder = target.endsWith('/') || target === '.' || sources.length > 1;
  const copied = sources.map((source) => copyOf(source, joined(workdir, target), intoFolder, tree));
  return copied.some((entries) => entries === undefined) ? undefined : copied.flatMap((all) => all ?? []);
}

function copyOf(
  source: string,
  target: string,
  intoFolder: boolean,
  tree: readonly Entry[],
): Entry[] | undefined {
  const from = joined(null, source).slice(1);
  const pattern = new RegExp(
    `^${from
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]*')}$`,
  );
  const isThere = from === '' || tree.some(({ path }) => path.startsWith(`${from}/`) || pattern.test(path));
  if (!isThere) return undefined;
  return tree.flatMap((entry): Entry[] => {
    const path = entry.path;
    if (from === '') return placed(entry, `${target}/${path}`);
    if (path.startsWith(`${from}/`)) return placed(entry, `${target}/${path.slice(from.length + 1)}`);
    if (!pattern.test(path) || entry.kind === 'folder') return [];
    return placed(entry, intoFolder ? `${target}/${path.split('/').at(-1) ?? ''}` : target);
  });
}

function placed(entry: Entry, path: string): Entry[] {
  const at = joined(null, path).slice(1);
  return at === '' ? [] : [{ ...entry, path: at }];
}
