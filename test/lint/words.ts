import { readFileSync } from 'node:fs';
import type { ESLint, Rule } from 'eslint';
import * as z from 'zod';

/** Words that cost a reader a second look, and what a maintainer in this field writes instead. */
export const replacements = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(new URL('words.json', import.meta.url), 'utf8')));

/** A line break in a comment or a paragraph may stand between two words. */
const gap = String.raw`\s+(?:\*\s+|//\s+)?`;
const words = Object.keys(replacements).map(
  ([first = '', ...rest]) => `[${first}${first.toUpperCase()}]${rest.join('').replaceAll(' ', gap)}`,
);
const pattern = new RegExp(String.raw`\b(?:${words.join('|')})\b`, 'g');

/** Such words of a text, with their offsets. */
export function oldWords(text: string): { word: string; at: number }[] {
  return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({ word, at: index }));
}

const plain: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    docs: { description: 'Comments, messages and names are plain present-day English' },
    messages: { word: '"{{word}}": write {{instead}}' },
    schema: [],
  },
  create: (context) => ({
    Program: () => {
      const { sourceCode } = context;
      for (const { word, at } of oldWords(sourceCode.text)) {
        const start = sourceCode.getLocFromIndex(at);
        const end = sourceCode.getLocFromIndex(at + word.length);
        const instead = replacements[word.toLowerCase().replaceAll(/[^a-z]+/g, ' ')] ?? '';
        context.report({ loc: { start, end }, messageId: 'word', data: { word, instead } });
      }
    },
  }),
};

/** Rules on the words of code, comments and messages. */
export const wordRules: ESLint.Plugin = { rules: { plain } };
