import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ImportGraph } from './graph.ts';
import { exportedNames, isDoor, isProduct, roomOf } from './house.ts';

// `node test/lint/figures.ts [folder]`: prints the sizes of the sources, by which changes of their structure are compared.

const root = process.argv[2] ?? process.cwd();
const ignored = ['**/node_modules', '**/dist', '**/runs', '**/.*'];
const files = ts.sys
  .readDirectory(
    root,
    ['.ts'],
    ignored,
    ['host', 'bridge', 'extension', 'test', 'bench'].map((one) => `${one}/**/*`),
  )
  .map((file) => file.slice(root.length + 1));
const product = files.filter(isProduct);
const lines = new Map(product.map((file) => [file, readText(file).split('\n').length - 1]));
const sorted = [...lines.values()].sort((a, b) => a - b);
const graph = new ImportGraph(root);

const exporters = new Map<string, number>();
for (const file of product)
  for (const name of exportedNames(readText(file))) exporters.set(name, (exporters.get(name) ?? 0) + 1);

const past = { imports: 0, all: 0 };
for (const file of files.filter((one) => !isProduct(one))) {
  const specifiers = ts.preProcessFile(readText(file), true, false).importedFiles.map((one) => one.fileName);
  for (const specifier of specifiers.filter((one) => isProduct(join(file, '..', one)))) {
    past.all += 1;
    if (graph.missedDoor(file, specifier) !== undefined) past.imports += 1;
  }
}

const rooms = new Set(product.map(roomOf));
const small = product.filter((file) => (lines.get(file) ?? 0) < 20 && !isDoor(file));
const shared = [...exporters.values()].filter((count) => count > 1);
console.log(`files                                  ${product.length}`);
console.log(`lines                                  ${sorted.reduce((sum, one) => sum + one, 0)}`);
console.log(`lines of a file, median                ${sorted[Math.floor(sorted.length / 2)] ?? 0}`);
console.log(`files under 20 lines that are no doors ${small.length}`);
console.log(`rooms                                  ${rooms.size}`);
console.log(`exported names declared more than once ${shared.length}`);
console.log(`functions named …Of                    ${countOf()}`);
console.log(`imports of tests and benches past a door ${past.imports} of ${past.all}`);

function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function countOf(): number {
  return product.flatMap((file) => [...readText(file).matchAll(/function [A-Za-z]*[a-z]Of\(/g)]).length;
}
