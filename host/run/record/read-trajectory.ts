import { basename, dirname } from 'node:path';
import * as z from 'zod';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { isJsonObject } from '../../../bridge/text/index.ts';
import { readUntrustedText } from '../../lib/index.ts';
import { mostTextBytes } from './record-folder.ts';
import { parseRecorded } from './record-lines.ts';
import { type Trajectory, trajectorySchema } from './trajectory-format.ts';

/** Fields that hold any JSON: a null in them is a value. */
const freeFields: readonly string[] = ['arguments', 'extra', 'tool_definitions'];

/** A field that is null is one that is absent: some programs write both. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const present = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(
    present.map(([name, field]) => [name, freeFields.includes(name) ? field : withoutNulls(field)]),
  );
}

const readSchema = z.preprocess(withoutNulls, trajectorySchema);

/**
 * Reads and validates a trajectory in the ATIF format, of this program or another: versions 1.0 to 1.8. Files that it names
 * are not read. Errors: `bad-record` with the file, and the field or the reason.
 * @param path of the JSON file
 */
export async function readTrajectory(path: string): Promise<Trajectory> {
  const text = await readUntrustedText(dirname(path), basename(path), mostTextBytes).catch(
    (cause: unknown) => {
      throw new PwpError('bad-record', `${path} can't be read: ${describeError(cause)}`, { cause });
    },
  );
  return parseRecorded(readSchema, text, path);
}
