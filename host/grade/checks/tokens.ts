/**
 * The words of a text that consists of nothing else, white space aside; undefined for any other text.
 * @param word a word, as a sticky pattern with the word as its first group
 */
export function tokensOf(text: string, word: RegExp): string[] | undefined {
  const tokens: string[] = [];
  const pattern = new RegExp(word);
  const whole = text.trimEnd();
  while (pattern.lastIndex < whole.length) {
    const [, found] = pattern.exec(whole) ?? [];
    if (found === undefined) return undefined;
    tokens.push(found);
  }
  return tokens;
}
