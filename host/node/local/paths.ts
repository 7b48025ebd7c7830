import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { runFolder } from '../../lib/index.ts';

/** Everything that a sandbox owns on this machine outside its processes; absolute paths. */
export interface SandboxPaths {
  /** Run folder, private to its owner; holds all of the following but `disk`. */
  readonly run: string;
  readonly record: string;
  /** Seen inside as /run/pwp, of the agent's user: sockets of the bridge's side there and of extension hosts, logs. */
  readonly shared: string;
  /** Memory that the X server shares with this machine's processes. Not seen inside. */
  readonly screen: string;
  /** Seen inside as /desk, of the desktop's user alone: the sockets of bridge and X server, logs, temporary files. */
  readonly desk: string;
  /** A file that the sandbox's network namespace is mounted on. */
  readonly netns: string;
  readonly runcLog: string;
  /** Logs of the last dump and restore. */
  readonly criuWork: string;
  /** Which process takes the sandbox apart at the moment, so that others wait and interrupted work is found. */
  readonly turnLock: string;
  readonly turn: string;
  /** Who may act, when that one last did, and questions to people; made when a person first acts or is asked. */
  readonly lease: string;
  readonly leaseUsed: string;
  readonly questions: string;
  /** Which session plays a batch at the moment. */
  readonly batch: string;
  /** Activity that keeps the IDE busy and that no input caused. */
  readonly lasting: string;
  /** Folder of the file system: the overlay's parts and the runc bundle. */
  readonly disk: string;
  /** A sparse file with the file system of all that the sandbox writes, and the folder that it is mounted on. */
  readonly volumeFile: string;
  readonly volume: string;
  readonly upper: string;
  readonly work: string;
  readonly merged: string;
  /** The image alone, read-only: what the desktop's programs have as their root. */
  readonly deskRoot: string;
  /** In `merged`, where something else is mounted on it inside: the browser's profile. */
  readonly profile: string;
  readonly bundle: string;
  /** Options for CRIU beside runc's own. */
  readonly criuConfig: string;
}

/** Where runc keeps its own state of our containers. */
export const runcRoot = join(runFolder, 'runc');

export function sandboxPaths(id: string, home: string): SandboxPaths {
  const runPath = join(runFolder, id);
  const disk = join(sandboxesFolder(home), id);
  return {
    run: runPath,
    record: join(runPath, 'sandbox.json'),
    shared: join(runPath, 'run'),
    screen: join(runPath, 'screen'),
    desk: join(runPath, 'desk'),
    netns: join(runPath, 'netns'),
    runcLog: join(runPath, 'runc.log'),
    criuWork: join(runPath, 'criu'),
    turnLock: join(runPath, 'turn.lock'),
    turn: join(runPath, 'turn.json'),
    lease: join(runPath, 'lease.json'),
    leaseUsed: join(runPath, 'lease-used.json'),
    questions: join(runPath, 'questions.json'),
    batch: join(runPath, 'batch.json'),
    lasting: join(runPath, 'lasting.json'),
    disk,
    volumeFile: join(disk, 'volume.ext4'),
    volume: join(disk, 'volume'),
    upper: join(disk, 'volume/upper'),
    work: join(disk, 'volume/work'),
    merged: join(disk, 'merged'),
    deskRoot: join(disk, 'desk-root'),
    profile: join(disk, 'merged/desk-profile'),
    bundle: join(disk, 'bundle'),
    criuConfig: join(disk, 'bundle/criu.conf'),
  };
}

export function sandboxesFolder(home: string): string {
  return join(home, 'sandboxes');
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9-]{0,31}-[0-9a-f]{8}$/;

/** Whether `id` can be a sandbox's: nothing else may become part of a path. */
export function isSandboxId(id: string): boolean {
  return idPattern.test(id);
}

/** A new id that begins with the sandbox's name. Errors: `bad-name`. */
export function newSandboxId(name: string): string {
  const id = `${name}-${randomBytes(4).toString('hex')}`;
  if (isSandboxId(id)) return id;
  throw new PwpError('bad-name', `bad sandbox name ${JSON.stringify(name)}`, {
    help: 'Use up to 32 letters, digits and dashes, the first one not a dash.',
  });
}
