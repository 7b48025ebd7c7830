/** Text that is at most `max` UTF-16 code units long, never cut inside a character. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const splitsPair = isHighSurrogate(text.charCodeAt(max - 1));
  return text.slice(0, splitsPair ? max - 1 : max);
}

/** For names and messages: the bound of `text` in the protocol. */
export function clipText(text: string): string {
  return clip(text, 10_000);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
