import type { Cell, CellStyle } from '@maxgraph/core';

/** A style with draw.io's keys, including those that maxGraph does not know, and the text that it was read from. */
export type DrawioStyle = CellStyle & { readonly drawio: string };

/** Reads `ellipse;whiteSpace=wrap;html=1;`: names of styles, and keys with values. */
export function readStyle(text: string): DrawioStyle {
  const style: Record<string, unknown> = { drawio: text };
  const names: string[] = [];
  for (const part of text.split(';').filter((one) => one !== '')) {
    const at = part.indexOf('=');
    if (at < 0) names.push(part);
    else style[part.slice(0, at)] = valueOf(part.slice(at + 1));
  }
  if (names.length > 0) style.baseStyleNames = names;
  return style as DrawioStyle;
}

function valueOf(text: string): string | number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** A cell's style in draw.io's notation; a copy of a cell has it, too. */
export function styleText(cell: Cell): string {
  const { drawio } = cell.getStyle() as Partial<DrawioStyle>;
  return drawio ?? '';
}

export function isHtml(style: string): boolean {
  return /(?:^|;)html=1(?:;|$)/.test(style);
}
