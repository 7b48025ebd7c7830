import { lineProgress } from '../../host/lib/progress.ts';
import { ensureOwnersPackage, type OwnersPackage } from '../../host/tasks/datasets/owners/index.ts';

/**
 * Makes the environment of a package and prints its stages, then its Python.
 *   node owners-installer.ts <home> <package as JSON>
 */

const [home, wanted = '{}'] = process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);

const python = await ensureOwnersPackage(JSON.parse(wanted) as OwnersPackage, {
  home,
  progress: lineProgress(print),
});
print(`ready: ${python}`);
