import { dollarsText } from '../../lib/index.ts';
import type { Interval } from '../../analysis/index.ts';
import type { ReportCell, ColumnKind } from '../tables/index.ts';
import { plain } from './plain.ts';

/** A cell for people; `–` if it is not known. */
export function cellText(cell: ReportCell, kind: ColumnKind): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return plain(cell);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (typeof cell === 'number') return figure(cell, kind);
  const { value, low, high } = cell;
  return `${figure(value, kind)} [${figure(low, kind)}, ${figure(high, kind)}]`;
}

export function isInterval(cell: ReportCell): cell is Interval {
  return typeof cell === 'object' && cell !== null;
}

function figure(value: number, kind: ColumnKind): string {
  switch (kind) {
    case 'share':
      return (value * 100).toFixed(1);
    case 'points':
      return `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`;
    case 'usd':
      return dollarsText(value);
    case 'seconds':
      return value.toFixed(1);
    case 'p':
      return value < 0.001 ? '<0.001' : value.toFixed(3);
    case 'number':
      return value.toLocaleString('en-US', { maximumFractionDigits: value >= 1000 ? 0 : 3 });
    case 'count':
    case 'text':
      return value.toLocaleString('en-US');
  }
}

/** The head of a column, with its unit. */
export function headText(name: string, kind: ColumnKind): string {
  const unit = units[kind];
  return plain(unit === undefined ? name : `${name} (${unit})`);
}

const units: Partial<Record<ColumnKind, string>> = { share: '%', points: 'points', seconds: 's' };
