import { readTree, type Entry } from '../../tasks/index.ts';
import type { Instruction } from './dockerfile.ts';
import { imageName, requirementsIn, toolchainOf, type Toolchain } from './packages.ts';

/** What a Dockerfile comes to in a sandbox. */
export interface Environment {
  /** Files that it copies, by their path below `/`. */
  readonly files: readonly Entry[];
  /** Commands that its RUN lines leave to be run inside, in their order, as a script for bash. */
  readonly setup: string;
  /** Last WORKDIR; null if there is none. */
  readonly workdir: string | null;
  readonly toolchain: Toolchain;
  /** What has no meaning here, one line each, with the line of the Dockerfile. */
  readonly ignored: readonly string[];
}

/** Commands that install what the image has or lacks, fetch, or tidy up after that: packages are looked at by their name. */
const packaging =
  /^(?:sudo\s+)?(?:env\s+)?(?:\w+=\S+\s+)*(?:apt-get|apt|pip3?|python3?\s+-m\s+pip|npm\s+(?:install|i|ci)|yarn|corepack|uv|curl|wget|add-apt-repository|rm\s+-rf\s+\/var\/|locale-gen|update-alternatives|ldconfig|service|systemctl|useradd|adduser|groupadd|chown|usermod)\b/;

/**
 * Reads the meaning of a Dockerfile that a sandbox can have: files, folder, commands that need no network.
 * @param task its folder; COPY reads the `environment` in it
 */
export async function environmentOf(
  instructions: readonly Instruction[],
  task: string,
): Promise<Environment> {
  const tree = await readTree(task, 'environment');
  const stages = instructions.map(({ word }) => word).lastIndexOf('FROM');
  const files: Entry[] = [];
  const setup: string[] = [];
  const ignored: string[] = [];
  const texts: string[] = [];
  let workdir: string | null = null;
  for (const one of instructions.slice(Math.max(stages, 0))) {
    const { word, rest, line, documents } = one;
    if (word === 'FROM') texts.push(imageName(rest));
    else if (word === 'WORKDIR') workdir = joined(workdir, rest.replaceAll('"', ''));
    else if (word === 'COPY' || word === 'ADD') {
      const copied = copiedBy(rest, workdir, tree);
      if (copied) files.push(...copied);
      else ignored.push(`line ${line}: ${word} ${rest}`);
    } else if (word === 'RUN') {
      texts.push(rest, ...Object.values(documents));
      setup.push(...commandsOf(one, workdir));
    } else if (word === 'ENV') setup.push(...variablesOf(rest));
    else if (
      !['ARG', 'CMD', 'ENTRYPOINT', 'LABEL', 'EXPOSE', 'SHELL', 'MAINTAINER', 'STOPSIGNAL'].includes(word)
    )
      ignored.push(`line ${line}: ${word} ${rest}`);
  }
  const requirements = files.filter(({ path }) => /requirements[^/]*\.txt$/.test(path)).flatMap(textsOf);
  const toolchain = await toolchainOf([...texts, ...requirements.flatMap(requirementsIn)]);
  return { files, setup: setup.join('\n'), workdir, toolchain, ignored };
}

function textsOf(entry: Entry): string[] {
  return entry.kind === 'file' ? [Buffer.from(entry.content).toString('utf8')] : [];
}

function joined(folder: string | null, path: string): string {
  const whole = path.startsWith('/') ? path : `${folder ?? ''}/${path}`;
  const names: string[] = [];
  for (const name of whole.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** Undefined for a copy from another stage or from the network. */
function copiedBy(rest: string, workdir: string | null, tree: readonly Entry[]): Entry[] | undefined {
  const flags = rest.match(/^(?:--\S+\s+)+/)?.[0] ?? '';
  if (flags.includes('--from=') || rest.includes('<<')) return undefined;
  const plain = rest.slice(flags.length);
  const words = plain.startsWith('[') ? (JSON.parse(plain) as string[]) : plain.split(/\s+/);
  const target = words.at(-1) ?? '.';
  const sources = words.slice(0, -1);
  if (sources.length === 0 || sources.some((source) => source.includes('://'))) return undefined;
  const intoFolder = target.endsWith('/') || target === '.' || sources.length > 1;
  return sources.flatMap((source) => copyOf(source, joined(workdir, target), intoFolder, tree));
}

function copyOf(source: string, target: string, intoFolder: boolean, tree: readonly Entry[]): Entry[] {
  const from = joined(null, source).slice(1);
  const pattern = new RegExp(
    `^${from
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]*')}$`,
  );
  return tree.flatMap((entry): Entry[] => {
    const path = entry.path;
    if (from === '') return placed(entry, `${target}/${path}`);
    if (path.startsWith(`${from}/`)) return placed(entry, `${target}/${path.slice(from.length + 1)}`);
    if (!pattern.test(path) || entry.kind === 'folder') return [];
    return placed(entry, intoFolder ? `${target}/${path.split('/').at(-1) ?? ''}` : target);
  });
}

function placed(entry: Entry, path: string): Entry[] {
  const at = joined(null, path).slice(1);
  return at === '' ? [] : [{ ...entry, path: at }];
}

/** What of a RUN is not about packages, each line in the working folder of its place. */
function commandsOf({ rest, documents }: Instruction, workdir: string | null): string[] {
  const plain = rest.replace(/^(?:--\S+\s+)+/, '');
  const document = Object.values(documents)[0];
  if (document !== undefined) return inFolder(document, workdir);
  if (plain.startsWith('[')) return inFolder((JSON.parse(plain) as string[]).map(quoted).join(' '), workdir);
  const parts = plain.split(/\s*(?:&&|;)\s*/);
  const left = parts.filter((part) => part !== '' && !packaging.test(part));
  // A command that was taken apart where it must not be, e.g. inside a loop, is run as a whole.
  if (/\b(?:for|while|if|case)\b|["'][^"']*(?:&&|;)/.test(plain)) return inFolder(plain, workdir);
  return left.length > 0 ? inFolder(left.join(' && '), workdir) : [];
}

function inFolder(command: string, workdir: string | null): string[] {
  const folder = workdir ?? '/';
  return [`mkdir -p ${quoted(folder)} && cd ${quoted(folder)}`, command];
}

function variablesOf(rest: string): string[] {
  const pairs = /^\w+\s+[^=]+$/.test(rest)
    ? [rest.replace(/\s+/, '=')]
    : (rest.match(/\w+=(?:"[^"]*"|'[^']*'|\S*)/g) ?? []);
  return pairs.map((pair) => `export ${pair}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
