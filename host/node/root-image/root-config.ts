import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';

/** How an image wants its programs to be run. */
export interface RootConfig {
  /** Always with a PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** A name or number of the image's own, perhaps with `:group`; `0` if the image names none. */
  readonly user: string;
  /** Absolute. */
  readonly workdir: string;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  /** The shell that the image's builder chose; absent for the usual one. */
  readonly shell?: readonly string[];
}

const words = z.array(z.string()).nullish();
const imageConfigSchema = z.object({
  architecture: z.string(),
  os: z.string().optional(),
  config: z
    .object({
      Env: words,
      User: z.string().nullish(),
      WorkingDir: z.string().nullish(),
      Entrypoint: words,
      Cmd: words,
      Shell: words,
    })
    .nullish(),
});

/** What a machine must be for an image, and how the image wants to be run. */
export interface ParsedImageConfig {
  /** As images name it: `amd64`. */
  readonly arch: string;
  readonly config: RootConfig;
}

/** As Docker and its successors give it to images that have none. */
const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Reads the configuration that belongs to an image. Errors: `bad-image`. */
export function parseImageConfig(text: string): ParsedImageConfig {
  const parsed = imageConfigSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new PwpError('bad-image', "the image's configuration is not valid", { cause: parsed.error });
  const { architecture, os = 'linux', config } = parsed.data;
  if (os !== 'linux') throw new PwpError('other-architecture', `the image is for ${os}, not for Linux`);
  const shell = config?.Shell ?? [];
  return {
    arch: architecture,
    config: {
      env: { PATH: defaultPath, ...parseVariables(config?.Env ?? []) },
      user: config?.User || '0',
      workdir: absoluteFolder(config?.WorkingDir ?? ''),
      entrypoint: config?.Entrypoint ?? [],
      cmd: config?.Cmd ?? [],
      ...(shell.length > 0 && { shell }),
    },
  };
}

/** A value may have further equals signs; of two lines for one name the last counts. */
function parseVariables(lines: readonly string[]): Record<string, string> {
  const pairs = lines.flatMap((line): [string, string][] => {
    const at = line.indexOf('=');
    return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
  });
  return Object.fromEntries(pairs);
}

function absoluteFolder(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return `/${parts.join('/')}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PwpError('bad-image', "the image's configuration is not JSON", { cause });
  }
}

const architectures: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'arm',
  ppc64: 'ppc64le',
  s390x: 's390x',
  riscv64: 'riscv64',
};

/** This machine's architecture, as images name it. */
export function imageArchitecture(arch: string = process.arch): string {
  return architectures[arch] ?? arch;
}

/** The error for an image that this machine can't run. */
export function otherArchitecture(reference: string, found: readonly string[]): PwpError {
  const text = `${reference} is for ${found.join(', ')}, and this machine is ${imageArchitecture()}`;
  return new PwpError('other-architecture', text, {
    help: 'Use an image that was built for this machine too.',
  });
}
