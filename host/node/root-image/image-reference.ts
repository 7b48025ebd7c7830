import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';

/** The name of an image in an engine or a registry, in its full form. */
export interface ImageName {
  /** Of a registry, with its port if it has one: `docker.io`, `127.0.0.1:5000`. */
  readonly host: string;
  /** `library/debian` */
  readonly repository: string;
  /** Null if a digest says which image it is. */
  readonly tag: string | null;
  /** `sha256:…` of a manifest. */
  readonly digest: string | null;
}

/** Where the user says that an image is. */
export type ImageSource =
  /** In an engine or a registry, whichever has it. */
  | { readonly kind: 'name'; readonly name: ImageName }
  | { readonly kind: 'engine'; readonly name: ImageName }
  | { readonly kind: 'registry'; readonly name: ImageName }
  /** A file or folder in one of the formats of images; `image` names one of several in it. */
  | {
      readonly kind: 'stored';
      readonly format: ImageFormat;
      readonly path: string;
      readonly image: string | null;
    }
  /** A file or folder whose format shows when it is read. */
  | { readonly kind: 'path'; readonly path: string };

/** Formats in which images are stored, by the names that skopeo gives them. */
export type ImageFormat = 'docker-archive' | 'oci-archive' | 'oci';

const storedPattern = /^(docker-archive|oci-archive|oci):([^:]+)(?::(.+))?$/;
const pathPattern = /^(?:\/|\.{1,2}(?:\/|$))|\.(?:tar|tar\.gz|tgz)$/;

/**
 * Reads how a user names an image. Paths begin with `/`, `./` or `../`, or end like an archive: `python` is an image in a
 * registry even if there is a folder of that name. Errors: `bad-image-name`.
 */
export function parseImageReference(text: string, folder: string = process.cwd()): ImageSource {
  const [, format, path, image = null] = storedPattern.exec(text) ?? [];
  if (format !== undefined && path !== undefined)
    return { kind: 'stored', format: format as ImageFormat, path: resolve(folder, path), image };
  if (text.startsWith('engine:')) return { kind: 'engine', name: parseImageName(text.slice(7), text) };
  if (text.startsWith('docker://')) return { kind: 'registry', name: parseImageName(text.slice(9), text) };
  if (pathPattern.test(text)) return { kind: 'path', path: resolve(folder, text) };
  return { kind: 'name', name: parseImageName(text, text) };
}

const namePattern = /^([^@]+?)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/;
const repositoryPattern =
  /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/;
const hostPattern = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?$/i;

function parseImageName(text: string, whole: string): ImageName {
  const [, path, tag, digest = null] = namePattern.exec(text) ?? [];
  if (path === undefined) throw badName(whole);
  const slash = path.indexOf('/');
  const first = path.slice(0, Math.max(slash, 0));
  // As Docker tells them apart: only a host has a dot or a port in it.
  const hasHost = slash > 0 && (/[.:A-Z]/.test(first) || first === 'localhost');
  const host = hasHost ? (first === 'index.docker.io' ? 'docker.io' : first) : 'docker.io';
  const rest = hasHost ? path.slice(slash + 1) : path;
  const repository = host === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest;
  if (!hostPattern.test(host) || !repositoryPattern.test(repository)) throw badName(whole);
  // A digest says more than a tag, and skopeo takes only one of them.
  return { host, repository, digest, tag: digest === null ? (tag ?? 'latest') : null };
}

function badName(text: string): PwpError {
  return new PwpError('bad-image-name', `${JSON.stringify(text)} is not the name of an image`, {
    help: 'Write name:tag in small letters, or a path that begins with ./ or /.',
  });
}

/** The name in full: `docker.io/library/debian:12`. */
export function formatImageName({ host, repository, tag, digest }: ImageName): string {
  return `${host}/${repository}${digest === null ? `:${tag}` : `@${digest}`}`;
}

/** As engines show it: `debian:12`. */
export function shortenImageName(name: ImageName): string {
  return formatImageName(name).replace(/^docker\.io\/(?:library\/)?/, '');
}

/** Registries on this machine need no TLS. */
export function isLoopbackRegistry({ host }: ImageName): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
}

/** One text for all ways to write a source; the key of what is known of it. */
export function formatImageSource(source: ImageSource): string {
  switch (source.kind) {
    case 'name':
      return formatImageName(source.name);
    case 'engine':
      return `engine:${formatImageName(source.name)}`;
    case 'registry':
      return `docker://${formatImageName(source.name)}`;
    case 'stored':
      return `${source.format}:${source.path}${source.image === null ? '' : `:${source.image}`}`;
    case 'path':
      return source.path;
  }
}
