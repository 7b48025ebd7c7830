import { clip } from '../../../../bridge/text/index.ts';
import type { AttemptState, StepCriteria } from './study-data.ts';

/** The values of the filters; an empty text for no filter. */
export interface AttemptFilter extends StepCriteria {
  readonly state: AttemptState | '';
  readonly mode: string;
}

/** The target of a link: all attempts, one of them at a step, or two. */
export interface StudiesAddress {
  /** Id of the attempt; null for all of them. */
  readonly a: string | null;
  /** Id of the attempt beside it. */
  readonly b: string | null;
  /** Name of the moment; for two attempts, number of the row. */
  readonly at: string | null;
  readonly filter: AttemptFilter;
}

export const noFilter: AttemptFilter = { state: '', mode: '', effect: '', tool: '', mark: '', text: '' };
const filterNames = Object.keys(noFilter) as (keyof AttemptFilter)[];

export function readStudiesAddress(): StudiesAddress {
  const params = new URLSearchParams(location.hash.slice(1));
  const filter = Object.fromEntries(filterNames.map((name) => [name, params.get(name) ?? '']));
  return {
    ...{ a: params.get('a'), b: params.get('b'), at: params.get('at') },
    filter: { ...noFilter, ...filter },
  };
}

/** The part of a link after `#`. */
export function formatHash({ a, b, at, filter }: StudiesAddress): string {
  const params = new URLSearchParams();
  if (a !== null) params.set('a', a);
  if (b !== null) params.set('b', b);
  if (at !== null) params.set('at', at);
  for (const name of filterNames) if (filter[name] !== '') params.set(name, filter[name]);
  return `#${params}`;
}

export function isFilterSet(filter: AttemptFilter): boolean {
  return filterNames.some((name) => filter[name] !== '');
}

/** Whether the filters apply to steps, and not only to attempts. */
export function filtersSteps({ effect, tool, mark, text }: StepCriteria): boolean {
  return [effect, tool, mark, text].some((value) => value !== '');
}

export function pickCriteria({ effect, tool, mark, text }: AttemptFilter): StepCriteria {
  return { effect, tool, mark, text };
}

const pageToken = new URLSearchParams(location.search).get('token') ?? '';

/** The address of a resource of the server. */
export function makeDataUrl(path: string, params: Readonly<Record<string, string | number>> = {}): string {
  const all = new URLSearchParams({ token: pageToken });
  for (const [name, value] of Object.entries(params)) all.set(name, String(value));
  return `/data/${path}?${all}`;
}

/** Rejects with the server's message. */
export async function requestData<T>(
  path: string,
  params: Readonly<Record<string, string | number>> = {},
  signal?: AbortSignal,
): Promise<T> {
  return (await (await checkAnswered(makeDataUrl(path, params), { ...(signal && { signal }) })).json()) as T;
}

/** Values as they arrive, one line of JSON each. */
export async function* requestLines<T>(
  path: string,
  params: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
  method: 'GET' | 'POST' = 'GET',
): AsyncGenerator<T> {
  const response = await checkAnswered(makeDataUrl(path, params), { signal, method });
  if (!response.body) return;
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield JSON.parse(part) as T;
  }
}

/** Ends a resource of the server. */
export async function endResource(
  path: string,
  params: Readonly<Record<string, string | number>>,
): Promise<void> {
  await checkAnswered(makeDataUrl(path, params), { method: 'DELETE' });
}

async function checkAnswered(url: string, how: RequestInit): Promise<Response> {
  const response = await fetch(url, how).catch((error: unknown) => {
    how.signal?.throwIfAborted();
    throw new Error('The server does not answer. Is pwp view still running?', { cause: error });
  });
  if (response.ok) return response;
  throw new Error(clip(await response.text(), 1000) || `the server answered with ${response.status}`);
}
