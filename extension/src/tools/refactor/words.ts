/** Languages whose names are checked; TypeScript's are those of JavaScript. */
export type NamedLanguage = 'javascript' | 'python';

/** Words that can't be the name of a variable, function or class. */
const keywords: Readonly<Record<NamedLanguage, ReadonlySet<string>>> = {
  javascript: new Set(
    'await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield'.split(
      ' ',
    ),
  ),
  python: new Set(
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
      ' ',
    ),
  ),
};

const names: Readonly<Record<NamedLanguage, RegExp>> = {
  javascript: /^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u,
  python: /^[\p{ID_Start}_][\p{ID_Continue}]*$/u,
};

export function isName(word: string, language: NamedLanguage): boolean {
  return names[language].test(word);
}

export function isKeyword(word: string, language: NamedLanguage): boolean {
  return keywords[language].has(word);
}
