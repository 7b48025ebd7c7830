import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';

const config = z.object({ currentContext: z.string().optional() });
const meta = z.object({
  Endpoints: z.object({ docker: z.object({ Host: z.string(), SkipTLSVerify: z.boolean().default(false) }) }),
});

/** Where an engine is. */
export interface Endpoint {
  /** E.g. `unix:///var/run/docker.sock`; null for Docker's default. */
  readonly host: string | null;
  /** Certificates and key for TLS; null without TLS. */
  readonly tls: EngineTls | null;
}

export interface EngineTls {
  readonly ca: Buffer | undefined;
  readonly cert: Buffer | undefined;
  readonly key: Buffer | undefined;
  /** Whether the engine's certificate must be signed by the CA. */
  readonly verify: boolean;
}

/**
 * The engine that the `docker` command would talk to: `DOCKER_HOST`, else `DOCKER_CONTEXT`, else the context chosen in
 * Docker's configuration. Errors: `docker-context`.
 */
export async function dockerEndpoint(env: NodeJS.ProcessEnv = process.env): Promise<Endpoint> {
  const folder = env['DOCKER_CONFIG'] ?? join(env['HOME'] ?? homedir(), '.docker');
  if (env['DOCKER_HOST']) return { host: env['DOCKER_HOST'], tls: await environmentTls(env, folder) };
  const name = env['DOCKER_CONTEXT'] ?? (await currentContext(join(folder, 'config.json')));
  if (!name || name === 'default') return { host: null, tls: null };
  return readContext(join(folder, 'contexts'), name);
}

async function environmentTls(env: NodeJS.ProcessEnv, folder: string): Promise<EngineTls | null> {
  const verify = Boolean(env['DOCKER_TLS_VERIFY']);
  if (!verify && !env['DOCKER_TLS']) return null;
  return readTls(env['DOCKER_CERT_PATH'] ?? folder, verify);
}

async function readContext(contexts: string, name: string): Promise<Endpoint> {
  const id = createHash('sha256').update(name).digest('hex');
  try {
    const text = await readFile(join(contexts, 'meta', id, 'meta.json'), 'utf8');
    const { Host: host, SkipTLSVerify: skip } = meta.parse(JSON.parse(text)).Endpoints.docker;
    const tls = await readTls(join(contexts, 'tls', id, 'docker'), !skip);
    const isTls = skip || Object.values(tls).some((value) => Buffer.isBuffer(value));
    return { host, tls: isTls ? tls : null };
  } catch (cause) {
    const help = 'List the contexts: docker context ls';
    const text = `can't read Docker's context ${name}: ${messageOf(cause)}`;
    throw new PwpError('docker-context', text, { help, cause });
  }
}

async function readTls(folder: string, verify: boolean): Promise<EngineTls> {
  const read = (name: string) => readFile(join(folder, name)).catch(onlyMissing);
  const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')]);
  return { ca, cert, key, verify };
}

/** Each of the files may be left out; one that can't be read may not. */
function onlyMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

async function currentContext(file: string): Promise<string | undefined> {
  try {
    return config.parse(JSON.parse(await readFile(file, 'utf8'))).currentContext;
  } catch {
    // No configuration, or one that `docker` itself complains of.
    return undefined;
  }
}
