/** Events of the pytest plugin; lines count from 1, paths are absolute, ids are pytest's. */
export type PytestEvent =
  | { readonly kind: 'item'; readonly id: string; readonly path: string; readonly line: number }
  | { readonly kind: 'broken'; readonly id: string; readonly message: string }
  | { readonly kind: 'started'; readonly id: string }
  | EndedTest;

export interface EndedTest {
  readonly kind: 'ended';
  readonly id: string;
  readonly outcome: 'passed' | 'failed' | 'errored' | 'skipped';
  readonly seconds: number;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
}

/** Reads the plugin's lines, without lines that a test may have written among them. */
export function parsePytestEvent(line: string): PytestEvent | undefined {
  try {
    const value = JSON.parse(line) as Partial<PytestEvent> | null;
    const known = ['item', 'broken', 'started', 'ended'].includes(value?.kind ?? '');
    return known && typeof value?.id === 'string' ? (value as PytestEvent) : undefined;
  } catch {
    return undefined;
  }
}
