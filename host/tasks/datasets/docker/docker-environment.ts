import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { clip } from '../../../../bridge/text/index.ts';
import { packageFolder } from '../../../lib/index.ts';
import { type Language, languageNames } from '../../../node/index.ts';
import { type ArchiveEntry, readTreeEntries } from '../../format/index.ts';
import {
  type DockerInstruction,
  findDownloads,
  findInstalled,
  isOnlyPackaging,
  joinContainerPath,
  listCopiedEntries,
  makeRunScript,
  parseJsonWords,
  quietCommands,
  readRunText,
} from './dockerfile.ts';

/** The effect of a Dockerfile in a sandbox. */
export interface DockerEnvironment {
  /** Files that it copies, by their path below `/`. */
  readonly files: readonly ArchiveEntry[];
  /** Commands that its RUN lines leave to be run inside, in their order, as a script for bash. */
  readonly setup: string;
  /** Last WORKDIR; null if it has no WORKDIR. */
  readonly workdir: string | null;
  readonly toolchain: DockerToolchain;
  /** Instructions that can't be carried out here, one line each, with the line of the Dockerfile. */
  readonly ignored: readonly string[];
}

/** Instructions that change nothing for a container whose command is another one. */
const wordsWithoutEffect = new Set(['CMD', 'LABEL', 'EXPOSE', 'MAINTAINER', 'STOPSIGNAL', 'VOLUME']);
/** Entry points that only start the command that they are given. */
const plainEntryPoint = /^(?:\S*\/)?(?:sh|bash|tini|dumb-init|env)$/;

/** Collected from instruction to instruction. */
interface GatheredEffects {
  readonly files: ArchiveEntry[];
  readonly setup: string[];
  readonly ignored: string[];
  /** Names of packages and images, and lines that have such, for {@link findToolchain}. */
  readonly texts: string[];
  workdir: string | null;
}

/**
 * Reads the meaning of a Dockerfile that a sandbox can have: files, folder, commands that need no network.
 * @param task its folder; COPY reads the `environment` in it
 */
export async function readDockerEnvironment(
  instructions: readonly DockerInstruction[],
  task: string,
): Promise<DockerEnvironment> {
  const tree = await readTreeEntries(task, 'environment');
  const found: GatheredEffects = { files: [], setup: [], ignored: [], texts: [], workdir: null };
  for (const one of listLastStage(instructions)) applyInstruction(one, tree, found);
  const { files, ignored, workdir } = found;
  const texts = [...found.texts, ...listPackages(found)];
  const setup = found.setup.some((text) => text.startsWith('mkdir'))
    ? [quietCommands, ...found.setup].join('\n')
    : '';
  return { files, setup, workdir, toolchain: await findToolchain(texts), ignored };
}

/** The instructions of the last stage, after those of the stages that it begins with by their name. */
function listLastStage(instructions: readonly DockerInstruction[]): DockerInstruction[] {
  const stages: DockerInstruction[][] = [];
  for (const one of instructions) {
    if (one.word === 'FROM') stages.push([one]);
    else stages.at(-1)?.push(one);
  }
  const names = stages.map(([from]) => /\sas\s+(\S+)\s*$/i.exec(from?.rest ?? '')?.[1]?.toLowerCase());
  const whole = (index: number): DockerInstruction[] => {
    const [from, ...rest] = stages[index] ?? [];
    if (!from) return [];
    const base = names.lastIndexOf(from.rest.split(/\s+/)[0]?.toLowerCase(), index - 1);
    return base >= 0 && index > 0 ? [...whole(base), ...rest] : [from, ...rest];
  };
  return whole(stages.length - 1);
}

function applyInstruction(
  one: DockerInstruction,
  tree: readonly ArchiveEntry[],
  found: GatheredEffects,
): void {
  const { word, rest, line } = one;
  const cannot = (what = `${word} ${rest}`.trim()) => found.ignored.push(`line ${line}: ${clip(what, 200)}`);
  if (wordsWithoutEffect.has(word)) return;
  switch (word) {
    case 'FROM':
      found.texts.push(readImageName(rest));
      return;
    case 'WORKDIR':
      found.workdir = joinContainerPath(found.workdir, rest.replaceAll('"', ''));
      return;
    case 'COPY':
    case 'ADD': {
      const copied = listCopiedEntries(rest, found.workdir, tree);
      if (copied) found.files.push(...copied);
      else cannot();
      return;
    }
    case 'RUN':
      for (const fetched of applyRun(one, found)) cannot(`${fetched} needs a network`);
      return;
    case 'ENV':
      found.setup.push(...exportVariables(rest));
      return;
    case 'ARG':
      if (rest.includes('=')) found.setup.push(...exportVariables(rest));
      return;
    default:
      if (!changesNothing(word, rest)) cannot();
  }
}

/** @returns what it fetches that is not here */
function applyRun(one: DockerInstruction, found: GatheredEffects): string[] {
  const text = readRunText(one);
  found.texts.push(text, ...findInstalled(text));
  if (!isOnlyPackaging(text)) found.setup.push(makeRunScript(text, found.workdir));
  return findDownloads(text);
}

/** A shell or an entry point as a container has it anyway, no user but root, no check of a service. */
function changesNothing(word: string, rest: string): boolean {
  const [first = '', second = '--'] = parseJsonWords(rest) ?? rest.split(/\s+/);
  if (word === 'SHELL') return /(?:^|\/)(?:ba)?sh$/.test(first);
  if (word === 'ENTRYPOINT')
    return first === '' || (plainEntryPoint.test(first) && /^--?[a-z]*$/.test(second));
  if (word === 'USER') return /^(?:root|0)(?::\w+)?$/.test(rest);
  return word === 'HEALTHCHECK' && rest.toUpperCase() === 'NONE';
}

/** Names in requirements files and package.json, where these are installed. */
function listPackages({ files, texts }: GatheredEffects): string[] {
  const named = (pattern: RegExp) => files.filter(({ path }) => pattern.test(path)).flatMap(readEntryText);
  const installsNpm = texts.some((text) => /\b(?:npm\s+(?:install|i|ci)|yarn|pnpm)\b/.test(text));
  return [
    ...named(/requirements[^/]*\.txt$/).flatMap(readRequirements),
    ...(installsNpm ? named(/(?:^|\/)package\.json$/).flatMap(readNpmNames) : []),
  ];
}

function readEntryText(entry: ArchiveEntry): string[] {
  return entry.kind === 'file' ? [Buffer.from(entry.content).toString('utf8')] : [];
}

function exportVariables(rest: string): string[] {
  const pairs = /^\w+\s+[^=]+$/.test(rest)
    ? [rest.replace(/\s+([\s\S]*)$/, '="$1"')]
    : (rest.match(/\w+=(?:"[^"]*"|'[^']*'|\S*)/g) ?? []);
  return pairs.map((pair) => `export ${pair}`);
}

/** The needs of a Dockerfile, as far as names of packages and images show them. */
export interface DockerToolchain {
  /** Layers of the sandbox image that have it; see docs/languages.md. */
  readonly languages: readonly Language[];
  /** Needs that neither the image nor a layer meets, as the Dockerfile names them, e.g. `pip: torch`. */
  readonly missing: readonly string[];
}

type PackageManager = 'apt' | 'pip' | 'npm' | 'image';

const installPatterns: readonly [PackageManager, RegExp][] = [
  ['apt', /\b(?:apt-get|apt)\s+(?:-\S+\s+)*install\b([^;&|]*)/g],
  ['pip', /\bpip3?\s+install\b([^;&|]*)/g],
  ['npm', /\bnpm\s+(?:install|i|ci)\b([^;&|]*)/g],
];

/** By layer: what means it beside the packages of its list: other names of Debian, base images, packages of pip. */
const packagesByLayer: Readonly<Record<Language, RegExp>> = {
  cpp: /^(?:apt:(?:build-essential|clang|ninja-build|gdb)|image:gcc|pip:cmake)$/,
  go: /^(?:apt:golang|image:golang)$/,
  rust: /^(?:apt:(?:rustc|cargo)|image:rust)$/,
  java: /^(?:apt:(?:default-jdk|default-jre|openjdk-\d+-(?:jdk|jre))(?:-headless)?|image:(?:maven|openjdk|eclipse-temurin|amazoncorretto))$/,
  charts: /^pip:(?:scikit-learn|z3-solver)$/,
};

/** In every image by another name, or of use to a person or for fetching alone. */
const packagesInImage =
  /^(?:apt:(?:bash|coreutils|findutils|diffutils|grep|sed|tar|gzip|hostname|login|passwd|util-linux|debianutils|mawk|perl|perl-base|openssl|nodejs|npm|python3-(?:pip|venv|dev)|curl|wget|tmux|asciinema|vim|nano|sudo|unzip|zip|locales|tzdata|gnupg|lsb-release|software-properties-common|apt-transport-https|openssh-client)|pip:(?:pip|setuptools|wheel|pillow)|image:(?:python|node|debian|ubuntu|buildpack-deps|alpine|scratch)(?:-\d+)*)$/;

/**
 * Which layers the packages and images of a Dockerfile need here, and what no layer has.
 * @param texts its RUN lines, and its `FROM` as `image:<name>`; requirements files as lines of `pip:<name>`
 */
export async function findToolchain(texts: readonly string[]): Promise<DockerToolchain> {
  const names = [...new Set(texts.flatMap(findPackageNames))];
  const image = await readDebianPackages('packages.txt');
  const layers = await Promise.all(
    languageNames.map(async (language) => ({
      language,
      packages: await readDebianPackages(`languages/${language}.txt`),
    })),
  );
  const wanted = names.map((name) => ({
    name,
    isHere: packagesInImage.test(name) || image.has(toDebianName(name)),
    language: layers.find(
      (one) => packagesByLayer[one.language].test(name) || one.packages.has(toDebianName(name)),
    )?.language,
  }));
  const languages = languageNames.filter((one) => wanted.some(({ language }) => language === one));
  const missing = wanted.filter(({ isHere, language }) => !isHere && language === undefined);
  return { languages, missing: missing.map(({ name }) => name.replace(':', ': ')).sort() };
}

function toDebianName(name: string): string {
  return name.startsWith('pip:')
    ? `python3-${name.slice('pip:'.length).replace(/^python-/, '')}`
    : name.replace(/^apt:/, '');
}

/** Names in one of the lists that the sandbox's image is made from. */
async function readDebianPackages(list: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(packageFolder(import.meta.url), 'images/sandbox', list), 'utf8');
  return new Set(text.split('\n').filter((line) => /^[a-z0-9]/.test(line)));
}

function findPackageNames(text: string): string[] {
  const direct = /^(?:image|pip|npm|apt):\S+$/.test(text) ? [text] : [];
  const installed = installPatterns.flatMap(([manager, pattern]) =>
    [...text.matchAll(pattern)].flatMap(([, words]) =>
      (words ?? '')
        .split(/\s+/)
        .map((word) => word.replaceAll(/["']/g, ''))
        .filter((word) => /^[A-Za-z0-9@]/.test(word) && !/\.(?:txt|toml|cfg)$/.test(word))
        .map((word) => `${manager}:${withoutVersion(word)}`),
    ),
  );
  return [...direct, ...installed];
}

/** Without a version: `pytest==8.4.1`, `flask[async]>=2`, `curl=7.*`, `left-pad@1`. */
function withoutVersion(word: string): string {
  return word
    .toLowerCase()
    .replace(/(?<=.)[@=<>~!;[ ].*$/, '')
    .replaceAll('_', '-');
}

/** Names of pip packages in a requirements file, as `pip:<name>`. */
export function readRequirements(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => /^[A-Za-z0-9]/.test(line))
    .map((line) => `pip:${withoutVersion(line)}`);
}

/** An image by its last name: `docker.io/library/python:3.11-slim` is `image:python`. */
export function readImageName(rest: string): string {
  const image = rest.replace(/^(?:--\S+\s+)+/, '').split(/\s+/)[0] ?? '';
  return `image:${image.split('/').at(-1)?.split(/[:@]/)[0]?.toLowerCase() ?? ''}`;
}

/** Names of what a package.json asks for, as `npm:<name>`. */
function readNpmNames(text: string): string[] {
  const asked = z.looseObject({
    dependencies: z.record(z.string(), z.unknown()).default({}),
    devDependencies: z.record(z.string(), z.unknown()).default({}),
  });
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return [];
  }
  const found = asked.safeParse(raw);
  if (!found.success) return [];
  const { dependencies, devDependencies } = found.data;
  return Object.keys({ ...dependencies, ...devDependencies }).map((name) => `npm:${name.toLowerCase()}`);
}
