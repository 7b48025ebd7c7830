/** Digits 4 wide and 7 high, one string for each row: no font has to be installed, and three of them are short. */
const digits: readonly (readonly string[])[] = [
  [' ## ', '#  #', '#  #', '#  #', '#  #', '#  #', ' ## '],
  ['  # ', ' ## ', '# # ', '  # ', '  # ', '  # ', '####'],
  [' ## ', '#  #', '   #', '  # ', ' #  ', '#   ', '####'],
  ['### ', '   #', '   #', ' ## ', '   #', '   #', '### '],
  ['#  #', '#  #', '#  #', '####', '   #', '   #', '   #'],
  ['####', '#   ', '### ', '   #', '   #', '#  #', ' ## '],
  [' ## ', '#   ', '#   ', '### ', '#  #', '#  #', ' ## '],
  ['####', '   #', '   #', '  # ', '  # ', ' #  ', ' #  '],
  [' ## ', '#  #', '#  #', ' ## ', '#  #', '#  #', ' ## '],
  [' ## ', '#  #', '#  #', ' ###', '   #', '   #', ' ## '],
];

/** Pixels of the screen for one of the font: at half the size the strokes are still one pixel wide. */
const scale = 2;
const glyph = { width: 4 * scale, height: 7 * scale };
const gap = scale;
const padding = 2;

/** The size of a label, by the number of digits. */
export function labelSize(id: number): { width: number; height: number } {
  const count = String(id).length;
  return { width: count * glyph.width + (count - 1) * gap + 2 * padding, height: glyph.height + 2 * padding };
}

/** Calls `dot` with the offset of every lit pixel of a label. */
export function eachLitPixel(id: number, dot: (x: number, y: number) => void): void {
  [...String(id)].forEach((digit, position) => {
    const left = padding + position * (glyph.width + gap);
    const rows = digits[Number(digit)] ?? [];
    for (let y = 0; y < glyph.height; y += 1) {
      for (let x = 0; x < glyph.width; x += 1) {
        if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] === '#') dot(left + x, padding + y);
      }
    }
  });
}
