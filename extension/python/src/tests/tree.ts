import { basename, dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import type { PytestEvent } from './events.ts';

type Item = Extract<PytestEvent, { kind: 'item' }>;
type Broken = Extract<PytestEvent, { kind: 'broken' }>;

/** Replaces the test items with those that pytest has found now: files, their classes, and their tests. */
export class TestTree {
  readonly #controller: vscode.TestController;

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
  }

  /** @param root the folder that pytest was run in */
  fill(root: string, items: readonly Item[], broken: readonly Broken[]): void {
    this.#controller.items.replace([]);
    for (const item of items) this.#add(root, item);
    for (const { id, message } of broken) {
      const file = this.#file(root, id.split('::', 1)[0] ?? id);
      file.error = message;
    }
  }

  find(id: string): vscode.TestItem | undefined {
    const parts = id.split('::');
    let items = this.#controller.items;
    let found: vscode.TestItem | undefined;
    // A parameter may contain `::` itself: then the last part is the rest.
    for (let at = 1; at <= parts.length; at++) {
      const next = items.get(parts.slice(0, at).join('::'));
      if (!next) continue;
      found = next;
      items = next.children;
    }
    return found?.id === id ? found : undefined;
  }

  #add(root: string, { id, path, line }: Item): void {
    const [file = '', ...inside] = idParts(id);
    let parent = this.#file(root, file);
    for (const [at, name] of inside.entries()) {
      const own = [file, ...inside.slice(0, at + 1)].join('::');
      const known = parent.children.get(own);
      const item = known ?? this.#controller.createTestItem(own, name, vscode.Uri.file(path));
      // A class begins at the first of its tests, near enough to be found.
      if (!known) item.range = new vscode.Range(line - 1, 0, line - 1, 0);
      parent.children.add(item);
      parent = item;
    }
  }

  #file(root: string, id: string): vscode.TestItem {
    const known = this.#controller.items.get(id);
    if (known) return known;
    const path = join(root, id);
    const item = this.#controller.createTestItem(id, basename(path), vscode.Uri.file(path));
    const folder = relative(root, dirname(path));
    if (folder !== '') item.description = folder;
    this.#controller.items.add(item);
    return item;
  }
}

/** File, classes, test: parameters, which may hold anything, belong to the test's name. */
function idParts(id: string): string[] {
  const bracket = id.indexOf('[');
  const plain = bracket < 0 ? id : id.slice(0, bracket);
  const parts = plain.split('::');
  const name = parts.pop() ?? '';
  return [...parts, bracket < 0 ? name : name + id.slice(bracket)];
}
