import { open } from 'node:fs/promises';

/** Files that hold secrets by purpose, by name. */
const secretNames = [
  /^\.env(\..+)?$/,
  /^\.envrc$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /^\.(netrc|git-credentials|pgpass|my\.cnf|pypirc|htpasswd)$/,
  /^_netrc$/,
  /\.(p12|pfx|jks|keystore|kdbx|ppk)$/,
];
/** Examples of them, which hold no secrets. */
const exampleNames = /^\.env\.(example|sample|template|dist|defaults|schema)$/;
const secretPaths = [
  /(^|\/)\.aws\/credentials$/,
  /(^|\/)\.docker\/config\.json$/,
  /(^|\/)\.kube\/config$/,
  /(^|\/)\.config\/gh\/hosts\.yml$/,
];
/** Files that may hold one, by path: their text decides. */
const suspects: readonly (readonly [path: RegExp, text: RegExp])[] = [
  [/\.(pem|key)$/, /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  [/(^|\/)\.(npmrc|yarnrc|yarnrc\.yml)$/, /(_authToken|_auth|_password|npmAuthToken|npmAuthIdent)\s*[=:]/],
  // A password or a token in an address, or in a header that is sent with every request. Without the file Git works,
  // but knows no remotes.
  [
    /(^|\/)\.git\/(modules\/.+\/)?config$/,
    /https?:\/\/([^/\s@:]*:[^/\s@]+|[^/\s@:]{20,})@|extraheader\s*=\s*"?authorization:/i,
  ],
];
const looksAtBytes = 64 * 1024;

/**
 * Whether a file looks as if it holds a password or a key.
 * @param path below the folder that is copied
 * @param at its path on this machine
 */
export async function isSecret(path: string, at: string): Promise<boolean> {
  const name = path.split('/').at(-1) ?? '';
  if (exampleNames.test(name)) return false;
  if (secretNames.some((pattern) => pattern.test(name)) || secretPaths.some((each) => each.test(path)))
    return true;
  const [, text] = suspects.find(([pattern]) => pattern.test(path)) ?? [];
  return text?.test(await head(at)) ?? false;
}

async function head(at: string): Promise<string> {
  await using file = await open(at, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(looksAtBytes), 0, looksAtBytes, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
