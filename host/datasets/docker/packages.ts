import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { packageFolder } from '../../lib/index.ts';
import { languageNames, type Language } from '../../node/index.ts';

/** The needs of a Dockerfile, as far as names of packages and images show them. */
export interface Toolchain {
  /** Layers of the sandbox image that have it; see docs/languages.md. */
  readonly languages: readonly Language[];
  /** Needs that neither the image nor a layer meets, as the Dockerfile names them, e.g. `pip: torch`. */
  readonly missing: readonly string[];
}

type Manager = 'apt' | 'pip' | 'npm' | 'image';

const installs: readonly [Manager, RegExp][] = [
  ['apt', /\b(?:apt-get|apt)\s+(?:-\S+\s+)*install\b([^;&|]*)/g],
  ['pip', /\bpip3?\s+install\b([^;&|]*)/g],
  ['npm', /\bnpm\s+(?:install|i|ci)\b([^;&|]*)/g],
];

/** By layer: what means it beside the packages of its list: other names of Debian, base images, packages of pip. */
const meaning: Readonly<Record<Language, RegExp>> = {
  cpp: /^(?:apt:(?:build-essential|clang|ninja-build|gdb)|image:gcc|pip:cmake)$/,
  go: /^(?:apt:golang|image:golang)$/,
  rust: /^(?:apt:(?:rustc|cargo)|image:rust)$/,
  java: /^(?:apt:(?:default-jdk|default-jre|openjdk-\d+-(?:jdk|jre))(?:-headless)?|image:(?:maven|openjdk|eclipse-temurin|amazoncorretto))$/,
  charts: /^pip:(?:scikit-learn|z3-solver)$/,
};

/** In every image by another name, or of use to a person or for fetching alone. */
const present =
  /^(?:apt:(?:bash|coreutils|findutils|diffutils|grep|sed|tar|gzip|hostname|login|passwd|util-linux|debianutils|mawk|perl|perl-base|openssl|nodejs|npm|python3-(?:pip|venv|dev)|curl|wget|tmux|asciinema|vim|nano|sudo|unzip|zip|locales|tzdata|gnupg|lsb-release|software-properties-common|apt-transport-https|openssh-client)|pip:(?:pip|setuptools|wheel|pillow)|image:(?:python|node|debian|ubuntu|buildpack-deps|alpine|scratch)(?:-\d+)*)$/;

/**
 * Which layers the packages and images of a Dockerfile need here, and what no layer has.
 * @param texts its RUN lines, and its `FROM` as `image:<name>`; requirements files as lines of `pip:<name>`
 */
export async function toolchainOf(texts: readonly string[]): Promise<Toolchain> {
  const names = [...new Set(texts.flatMap(namesIn))];
  const image = await debianPackages('packages.txt');
  const layers = await Promise.all(
    languageNames.map(async (language) => ({
      language,
      packages: await debianPackages(`languages/${language}.txt`),
    })),
  );
  const wanted = names.map((name) => ({
    name,
    isHere: present.test(name) || image.has(debianName(name)),
    language: layers.find((one) => meaning[one.language].test(name) || one.packages.has(debianName(name)))
      ?.language,
  }));
  const languages = languageNames.filter((one) => wanted.some(({ language }) => language === one));
  const missing = wanted.filter(({ isHere, language }) => !isHere && language === undefined);
  return { languages, missing: missing.map(({ name }) => name.replace(':', ': ')).sort() };
}

function debianName(name: string): string {
  return name.startsWith('pip:')
    ? `python3-${name.slice('pip:'.length).replace(/^python-/, '')}`
    : name.replace(/^apt:/, '');
}

/** Names in one of the lists that the sandbox's image is made from. */
async function debianPackages(list: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(packageFolder(import.meta.url), 'images/sandbox', list), 'utf8');
  return new Set(text.split('\n').filter((line) => /^[a-z0-9]/.test(line)));
}

function namesIn(text: string): string[] {
  const direct = /^(?:image|pip|npm|apt):\S+$/.test(text) ? [text] : [];
  const installed = installs.flatMap(([manager, pattern]) =>
    [...text.matchAll(pattern)].flatMap(([, words]) =>
      (words ?? '')
        .split(/\s+/)
        .map((word) => word.replaceAll(/["']/g, ''))
        .filter((word) => /^[A-Za-z0-9@]/.test(word) && !/\.(?:txt|toml|cfg)$/.test(word))
        .map((word) => `${manager}:${plainName(word)}`),
    ),
  );
  return [...direct, ...installed];
}

/** Without a version: `pytest==8.4.1`, `flask[async]>=2`, `curl=7.*`, `left-pad@1`. */
export function plainName(word: string): string {
  return word
    .toLowerCase()
    .replace(/(?<=.)[@=<>~!;[ ].*$/, '')
    .replaceAll('_', '-');
}

/** Names of pip packages in a requirements file, as `pip:<name>`. */
export function requirementsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => /^[A-Za-z0-9]/.test(line))
    .map((line) => `pip:${plainName(line)}`);
}

/** An image by its last name: `docker.io/library/python:3.11-slim` is `image:python`. */
export function imageName(rest: string): string {
  const image = rest.replace(/^(?:--\S+\s+)+/, '').split(/\s+/)[0] ?? '';
  return `image:${image.split('/').at(-1)?.split(/[:@]/)[0]?.toLowerCase() ?? ''}`;
}

/** Names of what a package.json asks for, as `npm:<name>`. */
export function npmNamesIn(text: string): string[] {
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
