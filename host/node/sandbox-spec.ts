import { PwpError } from '../../bridge/lib/index.ts';
import { findWorkspaceProblem } from '../../bridge/protocol/index.ts';

/** How a sandbox is made. */
export interface SandboxSpec {
  /** Short word for people, part of the sandbox's id: up to 32 letters, digits and dashes; see `toSandboxName`. */
  readonly name: string;
  /** `ide`: start the whole desktop. `bare`: no desktop and no bridge, only a file system to run commands in. */
  readonly role: 'ide' | 'bare';
  /** Archives unpacked into the file system before anything runs. */
  readonly seeds: readonly (Seed | StreamedSeed)[];
  /**
   * Folders copied from another, frozen sandbox before anything runs; seeds are unpacked over them. A copy, be it of
   * nothing, never waits for room: the other one may be waiting for it.
   */
  readonly copy?: CopySpec;
  /** Keep it running when the process that started it ends. Default false. */
  readonly keep: boolean;
  readonly display: Display;
  readonly limits: Limits;
  /** Default: no network. Not together with `keep`. */
  readonly network?: NetworkPolicy;
  /** An image that is the root of the agent's side, as `pwp images pull` reads it. Default: our own. */
  readonly root?: string;
  /**
   * Absolute path of the folder that the IDE has open, and that tools and commands begin in. Default `/workspace`. Errors:
   * `bad-workspace` for a path that no workspace can have.
   */
  readonly workspace?: string;
}

export interface CopySpec {
  /** Id of the other sandbox. */
  readonly from: string;
  /**
   * Absolute paths of folders and files. `/` is all that the other one has changed in its root: nothing else is then there
   * but the image, which must be the same.
   */
  readonly paths: readonly string[];
  /** Paths of folders below each of these: nothing else of it is copied. Default: all. */
  readonly only?: readonly string[] | undefined;
  /**
   * Absolute path of a file in the new sandbox that gets a line for each thing that is not safe to copy: a link or a file
   * in the place of a folder, folders nested more than 100 deep. These are missing in the copy. Default: they are errors.
   */
  readonly leftOut?: string | undefined;
}

/** The network that a sandbox can reach outside: only by HTTP and CONNECT, through a proxy outside the wall. */
export type NetworkPolicy = (
  | { readonly mode: 'no-network' }
  /** `name`, `*.name` or an IP address, each with `:port` unless it is 80 or 443. */
  | { readonly mode: 'allowlist'; readonly hosts: readonly string[] }
  /** Every public address and port. */
  | { readonly mode: 'public' }
) & {
  /**
   * Whether the IDE has the node's extension gallery, which needs no network. Default false. Not together with `keep`.
   */
  readonly gallery?: boolean | undefined;
};

/** An uncompressed tar archive and the absolute folder inside the sandbox that it is unpacked into. */
export interface Seed {
  readonly path: string;
  readonly tar: Uint8Array;
}

/** The same, read while it is unpacked, so that it is never in memory as a whole. Only the last seed can be one. */
export interface StreamedSeed {
  readonly path: string;
  readonly tar: AsyncIterable<Uint8Array>;
  /**
   * Names the archive's bytes, for keys of golden checkpoints. An archive without a name is assumed to be read only
   * once.
   */
  readonly digest?: string;
}

/** A screen, 24 bits deep. */
export interface Display {
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** A sound server takes what VS Code plays, so that it can be heard. Default false. */
  readonly audio?: boolean | undefined;
}

export interface Limits {
  /** Cores, fractions allowed. */
  readonly cpus: number;
  readonly memoryMb: number;
  /** Processes and threads. */
  readonly pids: number;
  /** Maximum size of what the sandbox writes to its file system, in MiB; the image does not count. At least 64. */
  readonly diskMb: number;
}

export const defaultDisplay: Display = { width: 1920, height: 1080 };
export const defaultLimits: Limits = { cpus: 2, memoryMb: 4096, pids: 2048, diskMb: 10_240 };

/** How long a sandbox's name may be: it is part of paths of Unix sockets, whose length is limited. */
const maxNameLength = 32;

/** A name that a sandbox may carry, made of any text: what can't be in one becomes dashes, and the end is cut. */
export function toSandboxName(text: string): string {
  const name = text
    .replaceAll(/[^a-z0-9-]+/gi, '-')
    .replace(/^-+/, '')
    .slice(0, maxNameLength)
    .replace(/-+$/, '');
  return name === '' ? 'sandbox' : name;
}

/** Errors: `bad-workspace` for a path that no workspace can have. */
export function checkWorkspace({ workspace }: Pick<SandboxSpec, 'workspace'>): void {
  const problem = workspace === undefined ? undefined : findWorkspaceProblem(workspace);
  if (problem === undefined) return;
  throw new PwpError('bad-workspace', `${JSON.stringify(workspace)} can't be a workspace: ${problem}`, {
    help: 'Choose a folder of its own, such as /testbed.',
  });
}

/** The languages with a language server, and an extension of ours that starts it. */
export const servedLanguages = ['cpp', 'go', 'rust'] as const;

/**
 * Extra languages for an image, by the name of their package list in `images/sandbox/languages`. `charts` is what
 * Python needs to make charts and tables.
 */
export const languageNames = [...servedLanguages, 'java', 'charts'] as const;

export type Language = (typeof languageNames)[number];

/**
 * The languages with these names, in a fixed order and each once: the same image always has the same list. Errors:
 * `usage`.
 */
export function resolveLanguages(names: readonly string[]): readonly Language[] {
  const unknown = names.filter((name) => !languageNames.some((one) => one === name));
  if (unknown.length > 0) {
    const what = unknown.map((name) => JSON.stringify(name)).join(', ');
    throw new PwpError('usage', `no image can be made with ${what}`, {
      help: `There are: ${languageNames.join(', ')}. Give several as in cpp,go.`,
    });
  }
  return languageNames.filter((one) => names.includes(one));
}
