import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../../lib/index.ts';
import { type Language, languageNames } from '../../../node/index.ts';

/** The needs of a Dockerfile, as far as names of packages and images show them. */
export interface BaseToolchain {
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
export async function findToolchain(texts: readonly string[]): Promise<BaseToolchain> {
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
