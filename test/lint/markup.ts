import type { ESLint, Rule } from 'eslint';
import { sep } from 'node:path';

/** Where HTML and CSS may be in templates: the pages of the web app. */
const webApp = ['host', 'doors', 'web', ''].join(sep);

const elements =
  'a|b|body|button|code|div|em|figure|form|g|h[1-6]|head|header|html|i|label|li|main|nav|ol|option|p|pre|script|section|select|span|strong|style|summary|svg|table|tbody|td|th|thead|title|tr|ul';
const html = new RegExp(
  String.raw`</(?:${elements})\s*>|<!doctype\s+html|<(?:img|input|link|meta)\s[^>]*>`,
  'i',
);
const css =
  /[\w\])*]\s*\{[^{}]*\b(?:background|border|color|display|font|margin|padding|position)[\w-]*\s*:[^{};]+;/;

/** What a text of a program is besides a text; null if it is nothing else. */
export function findMarkup(text: string): 'HTML' | 'CSS' | null {
  if (html.test(text)) return 'HTML';
  return css.test(text) ? 'CSS' : null;
}

const onlyInWeb: Rule.RuleModule = {
  meta: {
    type: 'problem',
    docs: { description: 'HTML and CSS are in files of their own, or in templates of the web app' },
    messages: { markup: 'Has {{what}}: put it into a file of its own, or into host/doors/web' },
    schema: [],
  },
  create: (context) => {
    if (context.filename.includes(`${sep}${webApp}`)) return {};
    const check = (node: Rule.Node, text: string): void => {
      const what = findMarkup(text);
      if (what) context.report({ node, messageId: 'markup', data: { what } });
    };
    return {
      TemplateLiteral: (node) => check(node, node.quasis.map(({ value }) => value.cooked ?? '').join('…')),
      Literal: (node) => {
        if (typeof node.value === 'string') check(node, node.value);
      },
    };
  },
};

/** A rule for HTML and CSS in programs. */
export const markupRules: ESLint.Plugin = { rules: { 'only-in-web': onlyInWeb } };
