import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

/** Folders without our own sources. */
const ignored = ['**/node_modules', '**/dist', '**/runs', '**/.*'];

/** A folder's own files and folders, and which of them import which. */
type Level = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The imports in a tree of TypeScript files, type imports included. Paths are relative to the root, with slashes.
 */
export class ImportGraph {
  readonly #imports = new Map<string, readonly string[]>();
  readonly #folders = new Set<string>();
  readonly #levels = new Map<string, Level>();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    const files = ts.sys.readDirectory(root, ['.ts'], ignored, undefined);
    for (const file of files) this.set(this.pathOf(file), importsIn(readFileSync(file, 'utf8')));
  }

  /** The path of a file in this graph. */
  pathOf(file: string): string {
    return relative(this.#root, file).split(sep).join('/');
  }

  /** Sets the imports of a file to these specifiers, as written there. */
  set(file: string, specifiers: readonly string[]): void {
    const found = specifiers.flatMap((specifier) => targetOf(file, specifier) ?? []);
    const targets = [...new Set(found)].sort();
    if (this.#imports.get(file)?.join() === targets.join()) return;
    this.#imports.set(file, targets);
    this.#folders.add(dirname(file));
    this.#levels.clear();
  }

  /**
   * The circle that an import is part of: files or sibling folders, each of which imports the next; the last equals the
   * first. Undefined if the import is not part of a circle.
   */
  circle(file: string, specifier: string): { readonly folder: string; readonly path: string[] } | undefined {
    const target = targetOf(file, specifier);
    if (target === undefined || !this.#imports.has(target)) return undefined;
    const folder = commonFolder(file, target);
    const [from, to] = [entryOf(folder, file), entryOf(folder, target)];
    const back = shortestPath(this.#level(folder), to, from);
    return back && { folder, path: [from, ...back] };
  }

  /** The door that an import bypasses: the `index.ts` of a folder that holds the target but not the file. */
  missedDoor(file: string, specifier: string): string | undefined {
    const target = targetOf(file, specifier);
    if (target === undefined || !this.#imports.has(target)) return undefined;
    const common = commonFolder(file, target);
    const closed = foldersAbove(target).filter(
      (folder) => isBelow(common, folder) && this.#folders.has(folder),
    );
    const outermost = closed.at(-1);
    const door = outermost === undefined ? target : join(outermost, 'index.ts');
    return door === target ? undefined : door;
  }

  #level(folder: string): Level {
    const known = this.#levels.get(folder);
    if (known) return known;
    const level = new Map<string, Set<string>>();
    for (const [file, targets] of this.#imports) {
      if (!isBelow(folder, file)) continue;
      for (const target of targets.filter((one) => isBelow(folder, one))) {
        const [from, to] = [entryOf(folder, file), entryOf(folder, target)];
        if (from !== to) level.set(from, (level.get(from) ?? new Set()).add(to));
      }
    }
    this.#levels.set(folder, level);
    return level;
  }
}

function importsIn(text: string): string[] {
  return ts.preProcessFile(text, true, false).importedFiles.map(({ fileName }) => fileName);
}

function targetOf(file: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? join(dirname(file), specifier) : undefined;
}

function isBelow(folder: string, path: string): boolean {
  return folder === '.' || path.startsWith(`${folder}/`);
}

/** The file or folder directly inside a folder through which a path below it leads. */
function entryOf(folder: string, path: string): string {
  const inside = folder === '.' ? path : path.slice(folder.length + 1);
  return inside.split('/', 1)[0] ?? inside;
}

/** All parent folders, from the nearest to the outermost. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? ['.'] : [folder, ...foldersAbove(folder)];
}

function commonFolder(file: string, target: string): string {
  return foldersAbove(file).find((folder) => isBelow(folder, target)) ?? '.';
}

function shortestPath(level: Level, from: string, to: string): string[] | undefined {
  const paths = new Map([[from, [from]]]);
  for (const [entry, path] of paths) {
    if (entry === to) return path;
    for (const next of level.get(entry) ?? []) if (!paths.has(next)) paths.set(next, [...path, next]);
  }
  return undefined;
}
