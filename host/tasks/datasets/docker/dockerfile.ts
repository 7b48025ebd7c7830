import { quoteShellWord, shorten } from '../../../../bridge/text/index.ts';
import type { ArchiveEntry } from '../../format/index.ts';

/** One instruction of a Dockerfile, its lines joined. */
export interface DockerInstruction {
  /** Upper case, e.g. `RUN`; empty for a line that is not an instruction. */
  readonly word: string;
  readonly rest: string;
  /** Number of its first line, from 1. */
  readonly line: number;
  /** Documents that follow `<<NAME`, by their name. */
  readonly documents: Readonly<Record<string, string>>;
}

/** The instructions of a Dockerfile. Comments are left out, lines that end in a backslash are joined. */
export function readDockerfile(text: string): DockerInstruction[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const found: DockerInstruction[] = [];
  let at = 0;
  while (at < lines.length) {
    let start = at;
    let whole = '';
    for (let open = true; open && at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      if (/^\s*#/.test(line) || (whole !== '' && line.trim() === '')) continue;
      if (whole === '') start = at;
      open = /\\\s*$/.test(line);
      whole += open ? line.replace(/\\\s*$/, ' ') : line;
    }
    const [, word, rest] = /^\s*([A-Za-z]+)\s+([\s\S]*\S)\s*$/.exec(whole) ?? [];
    if (word === undefined || rest === undefined) {
      if (whole.trim() !== '') found.push({ word: '', rest: whole.trim(), line: start + 1, documents: {} });
      continue;
    }
    const documents: Record<string, string> = {};
    for (const [, , name = ''] of rest.matchAll(/<<-?(["']?)([A-Za-z_]\w*)\1/g)) {
      const end = lines.findIndex((line, index) => index >= at && line.trim() === name);
      if (end < 0) break;
      documents[name] = lines
        .slice(at, end)
        .map((line) => `${line}\n`)
        .join('');
      at = end + 1;
    }
    found.push({ word: word.toUpperCase(), rest, line: start + 1, documents });
  }
  return found;
}

/** The words of an instruction in its JSON form; undefined for its shell form, which is all else, as for Docker. */
export function parseJsonWords(rest: string): string[] | undefined {
  try {
    const words: unknown = JSON.parse(rest);
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined;
  } catch {
    return undefined;
  }
}

/** A path below `/`, from a folder; null is `/`. */
export function joinContainerPath(folder: string | null, path: string): string {
  const whole = path.startsWith('/') ? path : `${folder ?? ''}/${path}`;
  const names: string[] = [];
  for (const name of whole.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/**
 * The files that COPY or ADD brings.
 * @param tree the files of its context
 * @returns undefined for a copy from another stage or from the network, and for a source that does not exist
 */
export function listCopiedEntries(
  rest: string,
  workdir: string | null,
  tree: readonly ArchiveEntry[],
): ArchiveEntry[] | undefined {
  const flags = rest.match(/^(?:--\S+\s+)+/)?.[0] ?? '';
  if (flags.includes('--from=') || rest.includes('<<')) return undefined;
  const plain = rest.slice(flags.length);
  const words = parseJsonWords(plain) ?? plain.split(/\s+/);
  const target = words.at(-1) ?? '.';
  const sources = words.slice(0, -1);
  if (sources.length === 0 || sources.some((source) => source.includes('://'))) return undefined;
  const intoFolder = target.endsWith('/') || target === '.' || sources.length > 1;
  const copied = sources.map((source) =>
    copyEntries(source, joinContainerPath(workdir, target), intoFolder, tree),
  );
  return copied.some((entries) => entries === undefined) ? undefined : copied.flatMap((all) => all ?? []);
}

function copyEntries(
  source: string,
  target: string,
  intoFolder: boolean,
  tree: readonly ArchiveEntry[],
): ArchiveEntry[] | undefined {
  const from = joinContainerPath(null, source).slice(1);
  const pattern = new RegExp(
    `^${from
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]*')}$`,
  );
  const isThere = from === '' || tree.some(({ path }) => path.startsWith(`${from}/`) || pattern.test(path));
  if (!isThere) return undefined;
  return tree.flatMap((entry): ArchiveEntry[] => {
    const path = entry.path;
    if (from === '') return placeEntry(entry, `${target}/${path}`);
    if (path.startsWith(`${from}/`)) return placeEntry(entry, `${target}/${path.slice(from.length + 1)}`);
    if (!pattern.test(path) || entry.kind === 'folder') return [];
    return placeEntry(entry, intoFolder ? `${target}/${path.split('/').at(-1) ?? ''}` : target);
  });
}

function placeEntry(entry: ArchiveEntry, path: string): ArchiveEntry[] {
  const at = joinContainerPath(null, path).slice(1);
  return at === '' ? [] : [{ ...entry, path: at }];
}

/**
 * Commands that install or prepare a system: packages are looked at by their name, and users and services have no
 * meaning here. In a script of other commands they do nothing.
 */
const quietPrograms = [
  ...['apt', 'apt-get', 'add-apt-repository', 'apt-key', 'pip', 'pip3', 'uv', 'corepack', 'curl', 'wget'],
  ...['locale-gen', 'update-alternatives', 'ldconfig', 'service', 'systemctl'],
  ...['useradd', 'adduser', 'groupadd', 'addgroup', 'usermod', 'chown', 'chpasswd'],
];

/** A part of a RUN line that does nothing else. */
const packagingPattern = new RegExp(
  String.raw`^(?:sudo\s+)?(?:env\s+)?(?:\w+=\S+\s+)*(?:(?:${quietPrograms.join('|')}|python3?\s+-m\s+pip|npm\s+(?:install|i|ci))\b|rm\s+-rf\s+/(?:var|tmp|root/\.cache)/|set\s+-|true$|:$)`,
);

/** For bash: these commands succeed, and `npm` and Python do all but install. */
export const quietCommands = [
  ...quietPrograms.map((name) => `${name}() { :; }`),
  'sudo() { "$@"; }',
  'npm() { case "$1" in install | i | ci) ;; *) command npm "$@" ;; esac; }',
  'python3() { if [ "$1 $2" != "-m pip" ]; then command python3 "$@"; fi; }',
  'python() { python3 "$@"; }',
].join('\n');

/** Addresses of installers of programs that the image or a layer has, with the name that {@link findToolchain} reads. */
const knownInstallers: readonly (readonly [RegExp, string])[] = [
  [/astral\.sh\/uv|bootstrap\.pypa\.io/, 'apt:python3-pip'],
  [/deb\.nodesource\.com|nvm-sh\/nvm|nodejs\.org\/dist/, 'apt:nodejs'],
  [/sh\.rustup\.rs|static\.rust-lang\.org/, 'image:rust'],
  [/(?:go\.dev|golang\.org|google\.com)\/(?:dl|go)\b/, 'image:golang'],
];

const fetchPatterns: readonly RegExp[] = [
  /(?<![\w/.-])(?:curl|wget)\s[^;&|\n]*/g,
  /\bgit\s+(?:-\S+\s+)*(?:clone|fetch|pull|submodule|lfs)\b[^;&|\n]*/g,
  /\b(?:gem|bundle|composer|poetry|conda|mamba|pnpm|yarn|apk|yum|dnf|snap|cargo|go|opam|cabal|luarocks|cpanm?|dotnet)\s+(?:-\S+\s+)*(?:install|add|get|fetch|restore|require|update|mod\s+\w+)\b[^;&|\n]*/g,
  /\buv\s+(?:sync|add|tool)\b[^;&|\n]*/g,
  /\binstall\.packages\([^)]*\)/g,
  /\bpip3?\s+install\s(?:[^;&|\n]*\s)?\.(?:\/\S*)?(?=\s|$|\[)[^;&|\n]*/g,
];

/** Downloads of a RUN from a network that nothing here replaces, each as it is written. */
export function findDownloads(text: string): string[] {
  const others = text.replaceAll(/\b(?:apt-get|apt)\s+(?:-\S+\s+)*(?:install|remove|purge)\b[^;&|\n]*/g, '');
  return fetchPatterns
    .flatMap((pattern) => [...others.matchAll(pattern)].map(([found]) => found.trim()))
    .filter((found) => !knownInstallers.some(([address]) => address.test(found)))
    .map((found) => shorten(found, 100));
}

/** Names of the programs that installers in a RUN bring, for {@link findToolchain}. */
export function findInstalled(text: string): string[] {
  return knownInstallers.filter(([address]) => address.test(text)).map(([, name]) => name);
}

/** The text of a RUN that a shell is given. */
export function readRunText({ rest, documents }: DockerInstruction): string {
  const plain = rest.replace(/^(?:--\S+\s+)+/, '');
  const names = Object.keys(documents);
  if (/^<<-?["']?\w+["']?$/.test(plain)) return documents[names[0] ?? ''] ?? '';
  const words = names.length === 0 ? parseJsonWords(plain) : undefined;
  if (words) return words.map(quoteShellWord).join(' ');
  return [plain, ...names.map((name) => `${documents[name] ?? ''}${name}`)].join('\n');
}

/** Whether a RUN does nothing but install and tidy up. */
export function isOnlyPackaging(text: string): boolean {
  return text
    .split(/\s*(?:&&|\|\||;|\n)\s*/)
    .every(
      (part) =>
        part === '' || packagingPattern.test(part) || knownInstallers.some(([address]) => address.test(part)),
    );
}

/** As Docker runs it: in the working folder of its place, in a shell of its own, whose last command counts. */
export function makeRunScript(text: string, workdir: string | null): string {
  const folder = quoteShellWord(workdir ?? '/');
  return `mkdir -p ${folder}\n(\nset +e\ncd ${folder}\n${text.trimEnd()}\n)`;
}
