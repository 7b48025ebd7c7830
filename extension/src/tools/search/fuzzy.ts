/**
 * The score of a path for a query whose letters have to occur in order, ignoring case; undefined if they don't. Letters
 * that follow each other, begin words, or are in the file's name score higher, and a short path higher than a long one.
 */
export function fuzzyScore(query: string, path: string): number | undefined {
  const wanted = [...query.toLowerCase().replaceAll(/[\s\\]+/g, '')];
  const text = path.toLowerCase();
  const nameAt = path.lastIndexOf('/') + 1;
  // From the end, so that letters are found in the file's name first.
  const places: number[] = [];
  let from = text.length;
  for (const letter of wanted.toReversed()) {
    from = from === 0 ? -1 : text.lastIndexOf(letter, from - 1);
    if (from < 0) return undefined;
    places.unshift(from);
  }
  const name = text.slice(nameAt);
  const exact =
    name === query.toLowerCase()
      ? 200
      : name.includes(query.toLowerCase())
        ? 100
        : text.includes(query.toLowerCase())
          ? 50
          : 0;
  const letters = places.map((at, i) => {
    const follows = i > 0 && places[i - 1] === at - 1 ? 6 : 0;
    const begins = beginsWord(path, at) ? 5 : 0;
    return 1 + follows + begins + (at >= nameAt ? 3 : 0);
  });
  return exact + letters.reduce((sum, one) => sum + one, 0) - path.length / 100;
}

function beginsWord(path: string, at: number): boolean {
  const [before = '/', letter = ''] = [path[at - 1], path[at]];
  return /[/_.\-\s]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(letter));
}
