import { clip } from '../../../bridge/lib/index.ts';
import { readTree, type Entry } from '../../tasks/index.ts';
import { copiedBy, joined } from './copy.ts';
import { jsonWords, type Instruction } from './dockerfile.ts';
import { imageName, npmNamesIn, requirementsIn, toolchainOf, type Toolchain } from './packages.ts';
import { fetchedBy, installedBy, isPackaging, quietCommands, scriptOfRun, textOfRun } from './run.ts';

/** The effect of a Dockerfile in a sandbox. */
export interface Environment {
  /** Files that it copies, by their path below `/`. */
  readonly files: readonly Entry[];
  /** Commands that its RUN lines leave to be run inside, in their order, as a script for bash. */
  readonly setup: string;
  /** Last WORKDIR; null if it has no WORKDIR. */
  readonly workdir: string | null;
  readonly toolchain: Toolchain;
  /** Instructions that can't be carried out here, one line each, with the line of the Dockerfile. */
  readonly ignored: readonly string[];
}

/** Instructions that change nothing for a container whose command is another one. */
const withoutEffect = new Set(['CMD', 'LABEL', 'EXPOSE', 'MAINTAINER', 'STOPSIGNAL', 'VOLUME']);
/** Entry points that only start the command that they are given. */
const plainEntry = /^(?:\S*\/)?(?:sh|bash|tini|dumb-init|env)$/;

/** Collected from instruction to instruction. */
interface Gathered {
  readonly files: Entry[];
  readonly setup: string[];
  readonly ignored: string[];
  /** Names of packages and images, and lines that have such, for {@link toolchainOf}. */
  readonly texts: string[];
  workdir: string | null;
}

/**
 * Reads the meaning of a Dockerfile that a sandbox can have: files, folder, commands that need no network.
 * @param task its folder; COPY reads the `environment` in it
 */
export async function environmentOf(
  instructions: readonly Instruction[],
  task: string,
): Promise<Environment> {
  const tree = await readTree(task, 'environment');
  const found: Gathered = { files: [], setup: [], ignored: [], texts: [], workdir: null };
  for (const one of lastStage(instructions)) take(one, tree, found);
  const { files, ignored, workdir } = found;
  const texts = [...found.texts, ...packagesOf(found)];
  const setup = found.setup.some((text) => text.startsWith('mkdir'))
    ? [quietCommands, ...found.setup].join('\n')
    : '';
  return { files, setup, workdir, toolchain: await toolchainOf(texts), ignored };
}

/** The instructions of the last stage, after those of the stages that it begins with by their name. */
function lastStage(instructions: readonly Instruction[]): Instruction[] {
  const stages: Instruction[][] = [];
  for (const one of instructions) {
    if (one.word === 'FROM') stages.push([one]);
    else stages.at(-1)?.push(one);
  }
  const names = stages.map(([from]) => /\sas\s+(\S+)\s*$/i.exec(from?.rest ?? '')?.[1]?.toLowerCase());
  const whole = (index: number): Instruction[] => {
    const [from, ...rest] = stages[index] ?? [];
    if (!from) return [];
    const base = names.lastIndexOf(from.rest.split(/\s+/)[0]?.toLowerCase(), index - 1);
    return base >= 0 && index > 0 ? [...whole(base), ...rest] : [from, ...rest];
  };
  return whole(stages.length - 1);
}

function take(one: Instruction, tree: readonly Entry[], found: Gathered): void {
  const { word, rest, line } = one;
  const cannot = (what = `${word} ${rest}`.trim()) => found.ignored.push(`line ${line}: ${clip(what, 200)}`);
  if (withoutEffect.has(word)) return;
  switch (word) {
    case 'FROM':
      found.texts.push(imageName(rest));
      return;
    case 'WORKDIR':
      found.workdir = joined(found.workdir, rest.replaceAll('"', ''));
      return;
    case 'COPY':
    case 'ADD': {
      const copied = copiedBy(rest, found.workdir, tree);
      if (copied) found.files.push(...copied);
      else cannot();
      return;
    }
    case 'RUN':
      for (const fetched of takeRun(one, found)) cannot(`${fetched} needs a network`);
      return;
    case 'ENV':
      found.setup.push(...variablesOf(rest));
      return;
    case 'ARG':
      if (rest.includes('=')) found.setup.push(...variablesOf(rest));
      return;
    default:
      if (!isPlain(word, rest)) cannot();
  }
}

/** @returns what it fetches that is not here */
function takeRun(one: Instruction, found: Gathered): string[] {
  const text = textOfRun(one);
  found.texts.push(text, ...installedBy(text));
  if (!isPackaging(text)) found.setup.push(scriptOfRun(text, found.workdir));
  return fetchedBy(text);
}

/** A shell or an entry point as a container has it anyway, no user but root, no check of a service. */
function isPlain(word: string, rest: string): boolean {
  const [first = '', second = '--'] = jsonWords(rest) ?? rest.split(/\s+/);
  if (word === 'SHELL') return /(?:^|\/)(?:ba)?sh$/.test(first);
  if (word === 'ENTRYPOINT') return first === '' || (plainEntry.test(first) && /^--?[a-z]*$/.test(second));
  if (word === 'USER') return /^(?:root|0)(?::\w+)?$/.test(rest);
  return word === 'HEALTHCHECK' && rest.toUpperCase() === 'NONE';
}

/** Names in requirements files and package.json, where these are installed. */
function packagesOf({ files, texts }: Gathered): string[] {
  const named = (pattern: RegExp) => files.filter(({ path }) => pattern.test(path)).flatMap(textsOf);
  const installsNpm = texts.some((text) => /\b(?:npm\s+(?:install|i|ci)|yarn|pnpm)\b/.test(text));
  return [
    ...named(/requirements[^/]*\.txt$/).flatMap(requirementsIn),
    ...(installsNpm ? named(/(?:^|\/)package\.json$/).flatMap(npmNamesIn) : []),
  ];
}

function textsOf(entry: Entry): string[] {
  return entry.kind === 'file' ? [Buffer.from(entry.content).toString('utf8')] : [];
}

function variablesOf(rest: string): string[] {
  const pairs = /^\w+\s+[^=]+$/.test(rest)
    ? [rest.replace(/\s+([\s\S]*)$/, '="$1"')]
    : (rest.match(/\w+=(?:"[^"]*"|'[^']*'|\S*)/g) ?? []);
  return pairs.map((pair) => `export ${pair}`);
}
