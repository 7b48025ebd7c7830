import { readFile } from 'node:fs/promises';

/**
 * Where our own image is mounted on the agent's side, whose root may be another one. In the desktop's root it is a link
 * to that root, so a path below it is right in both.
 */
export const imageMountPoint = '/.pwp';

const folder = `${imageMountPoint}/usr/lib/pwp/bin`;

/** Programs of our image that run in any root, with its own loader and libraries; `images/sandbox/provision.sh`. */
export const imagePrograms = {
  bash: `${folder}/bash`,
  git: `${folder}/git`,
  node: `${imageMountPoint}/opt/node/bin/node`,
  /** Has the modules that our scripts need. */
  python: `${folder}/python3`,
  sleep: `${folder}/sleep`,
  tini: `${folder}/tini`,
} as const;

/** Written by the node where the root of the agent's side is another image than ours. */
const imageFile = '/ide/image.json';

/**
 * Variables that would make our own programs load the image's files, or change what they do. Only shells and what they
 * start get them.
 */
const forShells =
  /^(?:LD_|NODE_|VSCODE_|ELECTRON_|PWP_|MALLOC_|OPENSSL_|GCONV_PATH$|GLIBC_TUNABLES$|LOCPATH$|PYTHONHOME$)/;

type Variables = Readonly<Record<string, string>>;

/** How the image that is the root of the agent's side wants its programs to be run. */
export interface ImageVariables {
  /** Runs what is given to it, perhaps in an environment that it activates; empty without one. */
  readonly entrypoint: readonly string[];
  readonly all: Variables;
  /** Of all programs, ours among them. */
  readonly forPrograms: Variables;
  /** The others. */
  readonly forShells: Variables;
}

/** Undefined where that root is our own image. */
export async function readImageVariables(path = imageFile): Promise<ImageVariables | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { env, entrypoint } = JSON.parse(text) as Pick<ImageVariables, 'entrypoint'> & { env: Variables };
  return { all: env, entrypoint, ...splitImageVariables(env) };
}

/** Sorts variables of an image by who gets them. */
export function splitImageVariables<Value extends string | undefined>(env: Readonly<Record<string, Value>>) {
  const pick = (shells: boolean): Record<string, Value> =>
    Object.fromEntries(Object.entries(env).filter(([name]) => forShells.test(name) === shells));
  return { forPrograms: pick(false), forShells: pick(true) };
}
