import * as z from 'zod';
import { PwpError, poll } from '../../../../lib/index.ts';
import type { Tab } from './tab.ts';

/** Evaluated in the page: functions that find visible elements. */
const helpers = String.raw`
const shown = (e) => {
  const { width, height } = e.getBoundingClientRect();
  const { visibility, display } = getComputedStyle(e);
  return width > 0 && height > 0 && visibility !== 'hidden' && display !== 'none';
};
const all = (selector) => [...document.querySelectorAll(selector)];
const find = (selector) => all(selector).find(shown);
const called = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + [...e.classList].map((c) => '.' + c).join('');
const absent = (selector) => {
  const { length } = all(selector);
  return { saw: length === 0 ? 'nothing matches ' + selector : length + ' match ' + selector + ', none is visible' };
};
`;

const looked = z.union([
  z.object({ value: z.unknown() }),
  z.object({ saw: z.string() }),
  z.object({ bad: z.string() }),
]);

/**
 * Runs a piece of script in the page until it returns `{ value }`, again as long as it returns `{ saw }`. Errors:
 * `page-error` if the script throws (e.g. for an invalid selector), `timeout` with what was seen last.
 * @param body of a function, with the arguments in `$`
 */
export async function look<T extends z.ZodType>(
  tab: Tab,
  what: string,
  body: string,
  given: unknown,
  answer: T,
  signal: AbortSignal,
): Promise<z.output<T>> {
  const expression = `(() => { ${helpers}
    const $ = ${JSON.stringify(given)};
    try { return (() => { ${body} })(); } catch (error) { return { bad: String(error) }; }
  })()`;
  const probe = async () => {
    const seen = await tab.evaluate(expression, looked, signal);
    return 'saw' in seen ? ({ done: false, saw: seen.saw } as const) : ({ done: true, value: seen } as const);
  };
  const found = await poll(what, probe, { intervalMs: 50, signal });
  if ('bad' in found) throw new PwpError('page-error', found.bad);
  return answer.parse(found.value);
}
