import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { place } from '../place/index.ts';

/** Deeper than any command needs. */
const maxDepth = 50;

/**
 * Converts an argument of a command from JSON: descriptions of VS Code's objects become objects. Errors: `bad-arguments`,
 * and those of `place` for a path.
 */
export async function revived(value: unknown, depth = 0): Promise<unknown> {
  if (depth > maxDepth) throw toolError('bad-arguments', `an argument is more than ${maxDepth} levels deep`);
  if (typeof value !== 'object' || value === null) return value;
  const inner = (one: unknown) => revived(one, depth + 1);
  if (Array.isArray(value)) return Promise.all(value.map(inner));
  const fields = Object.entries(value);
  const [[name, given] = ['', undefined]] = fields;
  if (fields.length === 1 && name === '$uri') return uriOf(given);
  if (fields.length === 1 && name === '$position') return positionOf(given);
  if (fields.length === 1 && name === '$range') return rangeOf(given);
  const entries = await Promise.all(fields.map(async ([key, one]) => [key, await inner(one)] as const));
  return Object.fromEntries(entries);
}

async function uriOf(given: unknown): Promise<vscode.Uri> {
  if (typeof given !== 'string') throw toolError('bad-arguments', '$uri takes a path');
  return (await place(given)).uri;
}

function positionOf(given: unknown): vscode.Position {
  const { line, column } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (!isCount(line) || !isCount(column))
    throw toolError('bad-arguments', '$position takes {"line": …, "column": …}, which count from 1');
  return new vscode.Position(line - 1, column - 1);
}

function rangeOf(given: unknown): vscode.Range {
  const { start, end } = (given ?? {}) as Readonly<Record<string, unknown>>;
  return new vscode.Range(positionOf(start), positionOf(end));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}
