import type { AttemptState, Criteria } from './data.ts';

/** The values of the filters; an empty text for no filter. */
export interface Filter extends Criteria {
  readonly state: AttemptState | '';
  readonly mode: string;
}

/** The target of a link: all attempts, one of them at a step, or two. */
export interface Address {
  /** Id of the attempt; null for all of them. */
  readonly a: string | null;
  /** Id of the attempt beside it. */
  readonly b: string | null;
  /** Name of the moment; for two attempts, number of the row. */
  readonly at: string | null;
  readonly filter: Filter;
}

export const noFilter: Filter = { state: '', mode: '', effect: '', tool: '', mark: '', text: '' };
const names = Object.keys(noFilter) as (keyof Filter)[];

export function readAddress(): Address {
  const params = new URLSearchParams(location.hash.slice(1));
  const filter = Object.fromEntries(names.map((name) => [name, params.get(name) ?? '']));
  return {
    ...{ a: params.get('a'), b: params.get('b'), at: params.get('at') },
    filter: { ...noFilter, ...filter },
  };
}

/** The part of a link after `#`. */
export function hashOf({ a, b, at, filter }: Address): string {
  const params = new URLSearchParams();
  if (a !== null) params.set('a', a);
  if (b !== null) params.set('b', b);
  if (at !== null) params.set('at', at);
  for (const name of names) if (filter[name] !== '') params.set(name, filter[name]);
  return `#${params}`;
}

export function isSet(filter: Filter): boolean {
  return names.some((name) => filter[name] !== '');
}

/** Whether the filters apply to steps, and not only to attempts. */
export function isOfSteps({ effect, tool, mark, text }: Criteria): boolean {
  return [effect, tool, mark, text].some((value) => value !== '');
}

export function criteriaOf({ effect, tool, mark, text }: Filter): Criteria {
  return { effect, tool, mark, text };
}
