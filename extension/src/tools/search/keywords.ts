/** Stop words: they say nothing about code. */
const stopWords = new Set(
  'a an and are as at be by can code do does file files find for from function get has have how i in is it of on or that the there this to use used uses was what when where which who why will with'.split(
    ' ',
  ),
);

/** The words of a question to search for; names are also searched by their parts. */
export function keywordsOf(query: string): string[] {
  const words = query.split(/[^\p{L}\p{N}_$]+/u).filter((word) => word.length > 1);
  const telling = words.filter((word) => !stopWords.has(word.toLowerCase()));
  const chosen = telling.length > 0 ? telling : words;
  const parts = chosen.flatMap((word) => [word, ...partsOf(word)]);
  return [...new Set(parts.map((word) => word.toLowerCase()))].slice(0, 20);
}

/** `parseUserName` has parse, user, name; so has parse_user_name. */
function partsOf(word: string): string[] {
  const parts = word.split(/_+|(?<=[a-z0-9])(?=[A-Z])/).filter((part) => part.length > 2);
  return parts.length > 1 ? parts : [];
}

/** A line that defines something, in most languages. */
const defines =
  /^\s*(export|default|public|private|protected|static|abstract|async|final|pub|unsafe|\s)*(class|interface|type|enum|struct|trait|impl|def|fn|func|function|const|let|var|module|namespace|package|sub|object)\b/;

export function isDefinition(line: string): boolean {
  return defines.test(line);
}
