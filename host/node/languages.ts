import { PwpError } from '../../bridge/lib/index.ts';

/** The languages with a language server, and an extension of ours that starts it. */
export const servedLanguages = ['cpp', 'go', 'rust'] as const;

/**
 * Extra languages for an image, by the name of their package list in `images/sandbox/languages`. `charts` is what
 * Python needs to make charts and tables.
 */
export const languageNames = [...servedLanguages, 'java', 'charts'] as const;

export type Language = (typeof languageNames)[number];

/**
 * The languages with these names, in a fixed order and each once: the same image always has the same list. Errors:
 * `usage`.
 */
export function languagesOf(names: readonly string[]): readonly Language[] {
  const unknown = names.filter((name) => !languageNames.some((one) => one === name));
  if (unknown.length > 0) {
    const what = unknown.map((name) => JSON.stringify(name)).join(', ');
    throw new PwpError('usage', `no image can be made with ${what}`, {
      help: `There are: ${languageNames.join(', ')}. Give several as in cpp,go.`,
    });
  }
  return languageNames.filter((one) => names.includes(one));
}
