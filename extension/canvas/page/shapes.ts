/** A shape of the palette. */
export interface PaletteShape {
  readonly title: string;
  /** Its style in draw.io's notation. */
  readonly style: string;
  /** Pixels at a zoom of 1. */
  readonly size: readonly [width: number, height: number];
  /** The drawing on its button, 34 × 26 pixels. */
  readonly icon: string;
}

const box = 'whiteSpace=wrap;html=1;';

export const paletteShapes: readonly PaletteShape[] = [
  {
    title: 'Rectangle',
    style: `rounded=0;${box}`,
    size: [120, 60],
    icon: '<rect x="2" y="4" width="30" height="18"/>',
  },
  {
    title: 'Rounded',
    style: `rounded=1;${box}`,
    size: [120, 60],
    icon: '<rect x="2" y="4" width="30" height="18" rx="6"/>',
  },
  {
    title: 'Ellipse',
    style: `ellipse;${box}`,
    size: [120, 80],
    icon: '<ellipse cx="17" cy="13" rx="15" ry="10"/>',
  },
  {
    title: 'Diamond',
    style: `rhombus;${box}`,
    size: [120, 80],
    icon: '<path d="M17 2 32 13 17 24 2 13Z"/>',
  },
  {
    title: 'Cylinder',
    style: `shape=cylinder3;${box}boundedLbl=1;backgroundOutline=1;size=15;`,
    size: [100, 80],
    icon: '<path d="M7 6v14c0 4 20 4 20 0V6c0-4-20-4-20 0c0 4 20 4 20 0"/>',
  },
  {
    title: 'Text',
    style: `text;html=1;align=center;verticalAlign=middle;whiteSpace=wrap;rounded=0;`,
    size: [100, 30],
    icon: '<path d="M9 6h16M17 6v15"/>',
  },
];

/** An arrow as draw.io draws it. */
export const arrowStyle = 'edgeStyle=orthogonalEdgeStyle;rounded=0;orthogonalLoop=1;jettySize=auto;html=1;';
