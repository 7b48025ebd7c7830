import type { Change } from '../repository/index.ts';

/** Files that the owners' harness doesn't pass to a test runner. */
const notTests = /\.(?:json|png|csv|txt|md|jpg|jpeg|pkl|yml|yaml|toml|cfg|ini)$/;

/** The files that the owners' harness runs: those that the test patch leaves behind, except data. */
export function testFilesOf({ written }: Change): string[] {
  return written.filter(({ kind, path }) => kind === 'file' && !notTests.test(path)).map(({ path }) => path);
}
