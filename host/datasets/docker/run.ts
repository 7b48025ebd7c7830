import { shorten } from '../../../bridge/lib/index.ts';
import { jsonWords, type Instruction } from './dockerfile.ts';

/**
 * Commands that install or prepare a system: packages are looked at by their name, and users and services have no
 * meaning here. In a script of other commands they do nothing.
 */
const quiet = [
  ...['apt', 'apt-get', 'add-apt-repository', 'apt-key', 'pip', 'pip3', 'uv', 'corepack', 'curl', 'wget'],
  ...['locale-gen', 'update-alternatives', 'ldconfig', 'service', 'systemctl'],
  ...['useradd', 'adduser', 'groupadd', 'addgroup', 'usermod', 'chown', 'chpasswd'],
];

/** A part of a RUN line that does nothing else. */
const packaging = new RegExp(
  String.raw`^(?:sudo\s+)?(?:env\s+)?(?:\w+=\S+\s+)*(?:(?:${quiet.join('|')}|python3?\s+-m\s+pip|npm\s+(?:install|i|ci))\b|rm\s+-rf\s+/(?:var|tmp|root/\.cache)/|set\s+-|true$|:$)`,
);

/** For bash: these commands succeed, and `npm` and Python do all but install. */
export const quietCommands = [
  ...quiet.map((name) => `${name}() { :; }`),
  'sudo() { "$@"; }',
  'npm() { case "$1" in install | i | ci) ;; *) command npm "$@" ;; esac; }',
  'python3() { if [ "$1 $2" != "-m pip" ]; then command python3 "$@"; fi; }',
  'python() { python3 "$@"; }',
].join('\n');

/** Addresses of installers of programs that the image or a layer has, with the name that {@link toolchainOf} reads. */
const installers: readonly (readonly [RegExp, string])[] = [
  [/astral\.sh\/uv|bootstrap\.pypa\.io/, 'apt:python3-pip'],
  [/deb\.nodesource\.com|nvm-sh\/nvm|nodejs\.org\/dist/, 'apt:nodejs'],
  [/sh\.rustup\.rs|static\.rust-lang\.org/, 'image:rust'],
  [/(?:go\.dev|golang\.org|google\.com)\/(?:dl|go)\b/, 'image:golang'],
];

const fetches: readonly RegExp[] = [
  /(?<![\w/.-])(?:curl|wget)\s[^;&|\n]*/g,
  /\bgit\s+(?:-\S+\s+)*(?:clone|fetch|pull|submodule|lfs)\b[^;&|\n]*/g,
  /\b(?:gem|bundle|composer|poetry|conda|mamba|pnpm|yarn|apk|yum|dnf|snap|cargo|go|opam|cabal|luarocks|cpanm?|dotnet)\s+(?:-\S+\s+)*(?:install|add|get|fetch|restore|require|update|mod\s+\w+)\b[^;&|\n]*/g,
  /\buv\s+(?:sync|add|tool)\b[^;&|\n]*/g,
  /\binstall\.packages\([^)]*\)/g,
  /\bpip3?\s+install\s(?:[^;&|\n]*\s)?\.(?:\/\S*)?(?=\s|$|\[)[^;&|\n]*/g,
];

/** Downloads of a RUN from a network that nothing here replaces, each as it is written. */
export function fetchedBy(text: string): string[] {
  const others = text.replaceAll(/\b(?:apt-get|apt)\s+(?:-\S+\s+)*(?:install|remove|purge)\b[^;&|\n]*/g, '');
  return fetches
    .flatMap((pattern) => [...others.matchAll(pattern)].map(([found]) => found.trim()))
    .filter((found) => !installers.some(([address]) => address.test(found)))
    .map((found) => shorten(found, 100));
}

/** Names of the programs that installers in a RUN bring, for {@link toolchainOf}. */
export function installedBy(text: string): string[] {
  return installers.filter(([address]) => address.test(text)).map(([, name]) => name);
}

/** The text of a RUN that a shell is given. */
export function textOfRun({ rest, documents }: Instruction): string {
  const plain = rest.replace(/^(?:--\S+\s+)+/, '');
  const names = Object.keys(documents);
  if (/^<<-?["']?\w+["']?$/.test(plain)) return documents[names[0] ?? ''] ?? '';
  const words = names.length === 0 ? jsonWords(plain) : undefined;
  if (words) return words.map(quoted).join(' ');
  return [plain, ...names.map((name) => `${documents[name] ?? ''}${name}`)].join('\n');
}

/** Whether a RUN does nothing but install and tidy up. */
export function isPackaging(text: string): boolean {
  return text
    .split(/\s*(?:&&|\|\||;|\n)\s*/)
    .every(
      (part) => part === '' || packaging.test(part) || installers.some(([address]) => address.test(part)),
    );
}

/** As Docker runs it: in the working folder of its place, in a shell of its own, whose last command counts. */
export function scriptOfRun(text: string, workdir: string | null): string {
  const folder = quoted(workdir ?? '/');
  return `mkdir -p ${folder}\n(\nset +e\ncd ${folder}\n${text.trimEnd()}\n)`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
