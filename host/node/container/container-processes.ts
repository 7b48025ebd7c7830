import { imagePrograms } from '../../../bridge/lib/index.ts';
import { type AgentUser, rootUser } from '../agent-root.ts';
import { readProcessLimits } from './kernel-limits.ts';
import type { SandboxRecord } from './sandbox-record.ts';

/**
 * The user that the desktop runs as: X server, browser and their side of the bridge. Everything else is the agent's,
 * which without capabilities has no power over another user. A number that no system gives to a user.
 */
export const desktopUser = 65_100;

/**
 * Capabilities of root over files and processes of a sandbox without a desktop. Not among them: devices, mounts,
 * networks, raw sockets, tracing, modules, other owners' limits.
 */
const rootCapabilities = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'SETGID',
  'SETUID',
  'NET_BIND_SERVICE',
];
/** The capabilities with which the first process of an IDE starts its two sides; both drop them. */
const initCapabilities = ['SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'];

type Owned = Pick<SandboxRecord, 'role' | 'root'>;
type ProcessUser = Omit<AgentUser, 'home'>;

/** The user of a sandbox's programs: where there is a desktop, that of the agent's root; else root. */
export function chooseUser({ role, root }: Owned): AgentUser {
  const own = root?.user ?? rootUser;
  return role === 'ide' || own.uid === rootUser.uid ? own : rootUser;
}

/** The first process of a sandbox, as the runtime specification has it. */
export function buildFirstProcess(sandbox: Owned, env: Readonly<Record<string, string>>) {
  const user = chooseUser(sandbox);
  return sandbox.role === 'bare'
    ? {
        ...buildProcess(user, rootCapabilities, env),
        args: [imagePrograms.tini, '-s', '--', imagePrograms.sleep, 'infinity'],
      }
    : { ...buildProcess(desktopProcess, initCapabilities, env), args: buildIdeInit(user) };
}

const desktopProcess = { uid: desktopUser, gid: desktopUser, groups: [] };

/** A program that is run in a sandbox later: as the agent where there is a desktop. */
export function buildLaterProcess(
  sandbox: Owned,
  program: { readonly args: readonly string[]; readonly cwd: string; readonly env: Record<string, string> },
) {
  const { args, cwd, env } = program;
  const capabilities = sandbox.role === 'bare' ? rootCapabilities : [];
  return { ...buildProcess(chooseUser(sandbox), capabilities, env), args, cwd };
}

function buildProcess(
  { uid, gid, groups }: ProcessUser,
  names: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const all = names.map((name) => `CAP_${name}`);
  // Without the last two, another user than root would lose them as the program starts.
  const kept = uid === 0 ? {} : { inheritable: all, ambient: all };
  return {
    terminal: false,
    user: { uid, gid, additionalGids: groups },
    env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    cwd: '/',
    capabilities: { bounding: all, effective: all, permitted: all, ...kept },
    rlimits: readProcessLimits(),
    noNewPrivileges: true,
  };
}

/**
 * Perl with its libraries from the desktop's root: in the agent's there may be other files of these names, where the
 * sandbox is one that was restored. It gets the user of the agent's side.
 */
function buildIdeInit({ uid, gid, groups }: ProcessUser): string[] {
  const [folder, loader] =
    process.arch === 'arm64'
      ? ['/desk/root/usr/lib/aarch64-linux-gnu', 'ld-linux-aarch64.so.1']
      : ['/desk/root/usr/lib/x86_64-linux-gnu', 'ld-linux-x86-64.so.2'];
  const program = ['/desk/root/usr/bin/perl', '-f', '/desk/root/opt/pwp/init.pl'];
  const user = [uid, gid, ...groups].map(String);
  return [`${folder}/${loader}`, '--inhibit-cache', '--library-path', folder, ...program, ...user];
}
