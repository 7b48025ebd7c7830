import { join } from 'node:path';
import { execa } from 'execa';
import { packageFolder } from '../../host/lib/index.ts';

/** Datasets of one family whose records have the same form share a sample. */
const shared: Readonly<Record<string, string>> = {
  'swe-bench-lite': 'swe-bench',
  'swe-bench-verified': 'swe-bench',
  'swe-bench-multilingual': 'swe-bench',
};

/** The folder of a dataset's made-up sample. */
export function sampleOf(name: string): string {
  return join(packageFolder(), 'test/data/datasets', shared[name] ?? name);
}

/**
 * Runs Python with a dataset's graders and the check library. Returns the JSON that it prints.
 * @param code ends with a call of `show(value)`
 */
export async function graderSays(name: string, code: string): Promise<unknown> {
  const folders = [
    'host/tasks/grade/checks-python',
    'host/tasks/datasets/grader',
    `host/tasks/datasets/${name}/grader`,
  ];
  const paths = folders.map((folder) => join(packageFolder(), folder));
  const start = `import json, sys
sys.path[:0] = ${JSON.stringify(paths)}
sys.dont_write_bytecode = True
show = lambda value: print(json.dumps(value))
def why(act):
    from pwp_checks import Failed
    try:
        return act()
    except Failed as failed:
        return f"failed: {failed}"
`;
  const { stdout } = await execa('python3', ['-I', '-S', '-'], { input: start + code });
  return JSON.parse(stdout);
}
