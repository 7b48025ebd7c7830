import { existsSync } from 'node:fs';
import { imageMountPoint } from '../../../bridge/lib/index.ts';

/** Of a later Debian than our image's; `install_debugpy` in `images/sandbox/provision.sh`. */
const laterDebugger = `${imageMountPoint}/opt/debugpy`;

/**
 * The arguments with which our Python runs an adapter that debugs in another Python: the program that is debugged loads
 * the adapter's other half. Isolated, since a file of the workspace must not shadow a module of the adapter.
 * @param version of that Python; empty if it is unknown
 * Errors: for a Python that none of our debuggers runs in.
 */
export function chooseAdapter(version: string, hasLater = existsSync(laterDebugger)): string[] {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  const isKnown = version !== '';
  if ((major === '3' && minor === '11') || (!isKnown && !hasLater)) return ['-I', '-m', 'debugpy.adapter'];
  if (isKnown && (major !== '3' || Number(minor) < 8))
    throw new Error(`debugpy needs Python 3.8 or newer, and this is Python ${version}`);
  if (!hasLater) throw new Error(`this image has no debugpy for Python ${version}: it was built without one`);
  const start = `import runpy, sys; sys.path.insert(0, '${laterDebugger}'); runpy.run_module('debugpy.adapter', run_name='__main__', alter_sys=True)`;
  return ['-I', '-c', start];
}
