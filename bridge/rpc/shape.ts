/** The maximum depth of a message, and its maximum numbers of values. */
const deepest = 500;
/** Objects, arrays and members of objects, which take the most memory for their length: 2 characters become 50 bytes. */
const mostParts = 400_000;
/** Elements of arrays and members of objects. */
const mostValues = 4_000_000;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the values of a JSON text before it is parsed: a text within the length limit could take thirty times as much
 * memory. Throws if there are too many. Invalid JSON is left to the parser.
 */
export function checkShape(text: string): void {
  let [depth, parts, values] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case comma:
        values += 1;
        break;
      case colon:
        parts += 1;
        break;
      case openArray:
      case openObject:
        parts += 1;
        depth += 1;
        if (depth > deepest) throw new Error(`a message nested more than ${deepest} deep`);
        break;
      case closeArray:
      case closeObject:
        depth -= 1;
    }
    if (parts > mostParts || values > mostValues)
      throw new Error('a message with more values than may be sent');
  }
}

/** Index of the closing quote; the length of the text if it is missing. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
