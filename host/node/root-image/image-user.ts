import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { findWorkspaceProblem } from '../../../bridge/protocol/index.ts';
import { ignoreMissing } from '../../lib/index.ts';
import { type AgentUser, rootUser } from '../agent-root.ts';
import { desktopUser, readInside } from '../container/index.ts';
import { resolveInImage } from './image-paths.ts';
import type { RootImage } from './root-store.ts';

/** The home of a user that has none in its image, or one that is not for a user's files, such as `/`. */
const madeHome = '/home/pwp';

/**
 * The user that an image's programs run as, as container engines find it: `USER` by name or number in the image's
 * `/etc/passwd`, with the groups of its `/etc/group` unless `USER` names one. Errors: `bad-image` for a name that the image
 * does not have; `unsupported`.
 */
export async function findImageUser({
  reference,
  layers,
  config,
}: Pick<RootImage, 'reference' | 'layers' | 'config'>): Promise<AgentUser> {
  const [name = '', group = ''] = config.user.split(':', 2);
  const [users, groups] = await Promise.all([
    readTable(layers, '/etc/passwd'),
    readTable(layers, '/etc/group'),
  ]);
  const [own, , number = name, primary = '0', , home] = findRow(users, name) ?? [];
  const uid = parseNumber(reference, number, 'user', '/etc/passwd');
  const gid = parseNumber(
    reference,
    group === '' ? primary : (findRow(groups, group)?.[2] ?? group),
    'group',
    '/etc/group',
  );
  const isIn = ([, , , members = '']: Row) => own !== undefined && members.split(',').includes(own);
  const further = group === '' ? groups.filter(isIn).map(([, , number]) => Number(number)) : [];
  const found = {
    ...{ uid, gid, home: await chooseHome(layers, config.env['HOME'] ?? home, uid) },
    groups: [...new Set(further)].filter((one) => isUserNumber(one) && one !== gid),
  };
  refuseDesktopUser(reference, found);
  return found;
}

/** A line of a table of users or groups: name, password, number and so on. */
type Row = readonly string[];

/** Of larger tables nothing is read. */
const mostBytes = 1024 * 1024;

/** The table in the uppermost layer that has it; empty if none has one, or a link in its place. */
async function readTable(layers: readonly string[], path: string): Promise<Row[]> {
  for (const layer of layers) {
    const info = await lstat(join(layer, path)).catch(ignoreMissing);
    if (!info) continue;
    const bytes = await readInside(layer, path, mostBytes).catch(() => null);
    const lines = Buffer.from(bytes ?? [])
      .toString('utf8')
      .split('\n');
    return lines.map((line) => line.split(':'));
  }
  return [];
}

function findRow(table: readonly Row[], wanted: string): Row | undefined {
  return table.find(([name, , number]) => name === wanted || number === wanted);
}

function isUserNumber(number: number): boolean {
  return Number.isInteger(number) && number >= 0 && number < 2 ** 31;
}

function parseNumber(reference: string, text: string, what: string, table: string): number {
  if (/^\d+$/.test(text) && isUserNumber(Number(text))) return Number(text);
  throw new PwpError(
    'bad-image',
    `${reference} runs as the ${what} ${text}, which its ${table} does not have`,
    {
      help: 'Add it to the image, or give its number in the line USER.',
    },
  );
}

async function chooseHome(
  layers: readonly string[],
  named: string | undefined,
  uid: number,
): Promise<string> {
  const path = named?.startsWith('/') ? await resolveInImage(layers, named) : undefined;
  if (path !== undefined && findWorkspaceProblem(path) === undefined) return path;
  return uid === rootUser.uid ? rootUser.home : madeHome;
}

/** Else its programs could enter the desktop's folders, and see the desktop's processes. */
function refuseDesktopUser(reference: string, { uid, gid, groups }: AgentUser): void {
  if (![uid, gid, ...groups].includes(desktopUser)) return;
  throw new PwpError(
    'unsupported',
    `${reference} runs as ${desktopUser}, which is the desktop's user in a sandbox`,
    {
      help: 'Make an image of it that ends in a line such as: USER 1000',
    },
  );
}
