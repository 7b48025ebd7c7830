/** A test that asks a server of this machine: an address with a port, or a connection to one. */
const asks =
  /(?:\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b|\[::1\])["']?\s*[:,]\s*["']?(?:\d{2,5}|[{$]|[A-Z_]*PORT)|\b(?:nc|ss|netstat|lsof)\s+-\w*[zltn]|\b(?:redis-cli|psql|mysql|mongosh|pg_isready)\b/;
/** It looks for a process that runs: pgrep, systemctl is-active, /proc of others. */
const looks =
  /\bpgrep\b|\bpidof\b|\bpsutil\.process_iter\b|\bsystemctl\s+is-active\b|\bps\s+-?(?:aux|ef|e|A)\b/;
/** A test that starts what it asks: a process of its own, a server in a thread, a job in the background. */
const starts =
  /\bPopen\(|\bcreate_subprocess_|\bmultiprocessing\b|\bthreading\b|\bTestClient\b|\btest_client\(|\bspawn\(|\bfork\(|\bHTTPServer\(|\bTCPServer\(|\bsocketserver\b|\.listen\(|(?:^|[^&>|])&\s*$|\b(?:nohup|setsid|daemonize)\b|\bservice\s+\S+\s+(?:re)?start\b|\bsystemctl\s+(?:re)?start\b|\bdocker\b/m;

/**
 * Why tests mean nothing where no program of the agent's runs; undefined if none is seen to ask one. Grading has the files
 * that were left, not the processes.
 * @param texts of the tests
 */
export function runningService(texts: readonly string[]): string | undefined {
  const whole = texts.map((text) => text.replaceAll(/^\s*(?:#|\/\/).*$/gm, '')).join('\n');
  if (starts.test(whole)) return undefined;
  const [found] = asks.exec(whole) ?? looks.exec(whole) ?? [];
  return found === undefined
    ? undefined
    : `its tests ask a server or process that must still be running (${found.trim()}), and tests run here on the files alone`;
}
