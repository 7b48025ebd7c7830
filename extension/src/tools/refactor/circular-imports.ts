import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { formatPath } from '../workspace-place.ts';
import { findImports, importsTypesOnly } from './imports-in.ts';

/** Maximum number of files that are read; the answer is then based on these. */
const mostFiles = 1000;

/** Texts of scripts by their paths; undefined for a missing file. */
type TextsByPath = (path: string) => Promise<string | undefined>;

/**
 * A circle of imports that edits would introduce, as `a.ts -> b.ts -> a.ts`; null if they introduce none. Follows
 * relative imports, which are the ones that TypeScript's edits create. Such modules may still run: that depends on what
 * they do while they are loaded.
 */
export async function findNewCircle(
  edits: readonly (readonly [vscode.Uri, readonly vscode.TextEdit[]])[],
): Promise<string | null> {
  const changed = new Map<string, string>();
  for (const [uri, changes] of edits) changed.set(uri.fsPath, await applyEditsToText(uri, changes));
  const before = new ModuleGraph(readCurrentText);
  const after = new ModuleGraph((path) =>
    changed.has(path) ? Promise.resolve(changed.get(path)) : readCurrentText(path),
  );
  for (const path of [...changed.keys()].sort()) {
    const old = await before.imports(path);
    for (const imported of await after.imports(path)) {
      if (old.has(imported)) continue;
      const back = await after.way(imported, path);
      if (back) return [path, ...back].map((one) => formatPath(one)).join(' -> ');
    }
  }
  return null;
}

/** The imports of modules, read on demand. */
class ModuleGraph {
  readonly #texts: TextsByPath;
  readonly #imports = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(texts: TextsByPath) {
    this.#texts = texts;
  }

  /** The modules that a module loads when it is loaded itself. */
  imports(path: string): Promise<ReadonlySet<string>> {
    const known = this.#imports.get(path) ?? this.#read(path);
    this.#imports.set(path, known);
    return known;
  }

  /** The shortest path of imports, including both ends. */
  async way(start: string, end: string): Promise<readonly string[] | undefined> {
    const ways: (readonly string[])[] = [[start]];
    const seen = new Set([start]);
    for (const one of ways) {
      const last = one.at(-1) ?? start;
      if (last === end) return one;
      if (seen.size > mostFiles) return undefined;
      for (const next of await this.imports(last)) {
        if (seen.has(next)) continue;
        seen.add(next);
        ways.push([...one, next]);
      }
    }
    return undefined;
  }

  async #read(path: string): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const { from, names } of findImports((await this.#texts(path)) ?? '')) {
      const module = await this.#resolve(join(dirname(path), from));
      if (module && !importsTypesOnly(names, module.text)) found.add(module.path);
    }
    return found;
  }

  /** As TypeScript finds a file: by its name, by that of what it is compiled to, or as the index of a folder. */
  async #resolve(named: string): Promise<{ readonly path: string; readonly text: string } | undefined> {
    const source = named.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
    const endings = ['.ts', '.tsx', '.js', '.jsx', '/index.ts', '/index.tsx', '/index.js'];
    for (const path of [source, named, ...endings.map((ending) => named + ending)]) {
      const text = /\.[cm]?[jt]sx?$/.test(path) ? await this.#texts(path) : undefined;
      if (text !== undefined) return { path, text };
    }
    return undefined;
  }
}

async function applyEditsToText(uri: vscode.Uri, edits: readonly vscode.TextEdit[]): Promise<string> {
  const document = await vscode.workspace.openTextDocument(uri).then(
    (one) => one,
    () => undefined,
  );
  const inOrder = [...edits].sort((a, b) => b.range.start.compareTo(a.range.start));
  if (!document) return edits.map(({ newText }) => newText).join('');
  return inOrder.reduce((text, { range, newText }) => {
    const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    return text.slice(0, start) + newText + text.slice(end);
  }, document.getText());
}

/** The text in the IDE, else the one on disk. */
async function readCurrentText(path: string): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find(({ uri, isDirty }) => isDirty && uri.fsPath === path);
  return open?.getText() ?? readFile(path, 'utf8').catch(() => undefined);
}
