import type { ArchiveEntry } from '../../format/index.ts';

/** Scripts and programs among files, as far as they are text. */
export function readPrograms(entries: readonly ArchiveEntry[]): string[] {
  return entries.flatMap((entry) => {
    const isProgram = entry.kind === 'file' && /\.(?:sh|bash|py|js|mjs|cjs|ts|rb)$/.test(entry.path);
    return isProgram && entry.content.byteLength < 1024 * 1024
      ? [Buffer.from(entry.content).toString('utf8')]
      : [];
  });
}

/** A test that asks a server of this machine: an address with a port, or a connection to one. */
const askPattern =
  /(?:\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b|\[::1\])["']?\s*[:,]\s*["']?(?:\d{2,5}|[{$]|[A-Z_]*PORT)|\b(?:nc|ss|netstat|lsof)\s+-\w*[zltn]|\b(?:redis-cli|psql|mysql|mongosh|pg_isready)\b/;
/** It looks for a process that runs: pgrep, systemctl is-active, /proc of others. */
const lookPattern =
  /\bpgrep\b|\bpidof\b|\bpsutil\.process_iter\b|\bsystemctl\s+is-active\b|\bps\s+-?(?:aux|ef|e|A)\b/;
/** A test that starts what it asks: a process of its own, a server in a thread, a job in the background. */
const startPattern =
  /\bPopen\(|\bcreate_subprocess_|\bmultiprocessing\b|\bthreading\b|\bTestClient\b|\btest_client\(|\bspawn\(|\bfork\(|\bHTTPServer\(|\bTCPServer\(|\bsocketserver\b|\.listen\(|(?:^|[^&>|])&\s*$|\b(?:nohup|setsid|daemonize)\b|\bservice\s+\S+\s+(?:re)?start\b|\bsystemctl\s+(?:re)?start\b|\bdocker\b/m;

/** Whether a script of an image seems to leave programs running. */
export function startsPrograms(script: string): boolean {
  return startPattern.test(withoutComments(script)) || /\bsupervisord\b|\bs6-svscan\b/.test(script);
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:#|\/\/).*$/gm, '');
}

/** The words by which programs ask a server or look for a process, unless they start one. */
export function findServiceUse(texts: readonly string[]): string | undefined {
  const whole = texts.map(withoutComments).join('\n');
  if (startPattern.test(whole)) return undefined;
  const [found] = askPattern.exec(whole) ?? lookPattern.exec(whole) ?? [];
  return found?.trim();
}
