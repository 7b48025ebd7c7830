import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { clip } from '../../../lib/index.ts';
import { pathText } from '../../place/index.ts';
import { javaScriptTestFiles, leftOut, pythonTests, type Runner } from './runner.ts';

/** Maximum number of test files that are counted. */
const mostFiles = 1000;

/** Test runners that are packages, found in `package.json`. */
const packages = ['jest', 'vitest', 'mocha', 'ava', 'jasmine', '@playwright/test', 'cypress', 'karma'];

/** Files that indicate a framework of another language. */
const others: readonly (readonly [glob: string, framework: string])[] = [
  ['**/*_test.go', 'go test'],
  ['**/Cargo.toml', 'cargo test'],
  ['**/pom.xml', 'Maven'],
  ['**/build.gradle{,.kts}', 'Gradle'],
  ['**/*_spec.rb', 'RSpec'],
  ['**/phpunit.xml{,.dist}', 'PHPUnit'],
];

/** The tests that a run by one runner leaves out: each framework, with the place of its tests. */
export async function frameworksLeftOut(runner: Runner): Promise<string[]> {
  const files =
    runner === 'pytest'
      ? await javaScriptTestFiles(undefined, mostFiles)
      : await vscode.workspace.findFiles(pythonTests, leftOut, mostFiles);
  const name = runner === 'pytest' ? 'JavaScript' : 'pytest';
  const shown = await Promise.all(others.map(([glob, framework]) => firstOf(glob, framework)));
  const found = [
    ...(files.length > 0 ? [`${name}: ${counted(files)}`] : []),
    ...(await ofPackages()),
    ...shown.flat(),
  ];
  return found.slice(0, 50).map((one) => clip(one, 200));
}

function counted(files: readonly vscode.Uri[]): string {
  const [first] = files.map(({ fsPath }) => pathText(fsPath)).sort();
  return files.length === 1 ? (first ?? '') : `${files.length} files such as ${first ?? ''}`;
}

async function firstOf(glob: string, framework: string): Promise<string[]> {
  const found = await vscode.workspace.findFiles(glob, leftOut, 1);
  return found.map(({ fsPath }) => `${framework}: ${pathText(fsPath)}`);
}

async function ofPackages(): Promise<string[]> {
  const manifests = await vscode.workspace.findFiles('**/package.json', leftOut, 50);
  const found = await Promise.all(
    manifests.map(async ({ fsPath }) => {
      const text = await readFile(fsPath, 'utf8').catch(() => '');
      const names = packages.filter((name) => text.includes(`"${name}"`));
      const where = pathText(fsPath);
      return names.map(
        (name) => `${name}: ${basename(where) === where ? where : `${dirname(where)}/package.json`}`,
      );
    }),
  );
  return found.flat();
}
