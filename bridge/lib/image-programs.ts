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
