/** The common form of names that look the same: with another form of the same letters, or another kind of space. */
export function lookOf(name: string): string {
  return name.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ');
}

/** A text in each of its possible forms, its own first. */
export function formsOf(text: string): string[] {
  return [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])];
}
