/** Places of a task's initial state and the folder of each in `environment/`. */
export const places = [
  { path: '/workspace', folder: 'workspace' },
  { path: '/ide', folder: 'ide' },
  { path: '/root', folder: 'home' },
  { path: '/', folder: 'root' },
] as const;

/** Programs that tests of this project find in their sandbox: Node.js in its place, Python, Git. */
const base = [
  'FROM node:24-bookworm-slim',
  'RUN apt-get update && apt-get install -y --no-install-recommends git python3 python-is-python3 python3-numpy && rm -rf /var/lib/apt/lists/*',
  'RUN mkdir -p /opt/node/bin /workspace /ide && ln -sf /usr/local/bin/node /opt/node/bin/node',
];

/**
 * The Dockerfile of an exported task.
 * @param folders those of {@link places} that it has
 * @param setup whether `environment/setup.sh` is to be run
 */
export function dockerfileOf(folders: readonly string[], setup: boolean): string {
  const copies = places
    .filter(({ folder }) => folders.includes(folder))
    .map(({ path, folder }) => `COPY ${folder}/ ${path === '/' ? '/' : `${path}/`}`);
  const runs = setup ? ['COPY setup.sh /tmp/setup.sh', 'RUN bash /tmp/setup.sh && rm /tmp/setup.sh'] : [];
  return `${[...base, ...copies, 'WORKDIR /workspace', ...runs].join('\n')}\n`;
}

/**
 * Runs the tests as this project does: with fixed programs, without a home, and with its check libraries in their place.
 * Tests that end badly pass nothing.
 */
export const testScript = `#!/bin/bash
mkdir -p /opt/pwp/grade /logs/verifier
cp -r /tests/pwp-grade/. /opt/pwp/grade/
cd /tests || exit 1
env -i PATH=/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/nonexistent LANG=C.UTF-8 \\
  GIT_CONFIG_NOSYSTEM=1 PYTHONDONTWRITEBYTECODE=1 /bin/bash --noprofile --norc /tests/pwp-test.sh
status=$?
if [ "$status" -ne 0 ]; then echo 0 > /logs/verifier/reward.txt; fi
exit 0
`;
