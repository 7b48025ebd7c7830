export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

const white: Colour = { red: 255, green: 255, blue: 255 };
const black: Colour = { red: 0, green: 0, blue: 0 };
/** Neighbouring numbers are far apart on the colour wheel. */
const goldenAngle = 137.508;
/** Brightness below which a line is lost on a dark background. */
const darkest = 90;

/** A mark's colour: always the same for one number. Dark hues are lightened, so that they show on a dark theme. */
export function colourOf(id: number): Colour {
  const hue = (id * goldenAngle) % 360;
  const channel = (shift: number) => {
    const k = (shift + hue / 30) % 12;
    return 0.5 - 0.45 * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  const pure = { red: 255 * channel(0), green: 255 * channel(8), blue: 255 * channel(4) };
  const lift = Math.max(0, (darkest - brightness(pure)) / (255 - brightness(pure)));
  const lifted = (value: number) => Math.round(value + (255 - value) * lift);
  return { red: lifted(pure.red), green: lifted(pure.green), blue: lifted(pure.blue) };
}

/** Black or white, whichever reads better on a colour. */
export function inkOn(colour: Colour): Colour {
  return brightness(colour) > 130 ? black : white;
}

/** As the eye sees it, 0 to 255. */
function brightness({ red, green, blue }: Colour): number {
  return red * 0.299 + green * 0.587 + blue * 0.114;
}

/** How far two colours are apart: 0 to 441. */
export function difference(one: Colour, other: Colour): number {
  return Math.hypot(one.red - other.red, one.green - other.green, one.blue - other.blue);
}
