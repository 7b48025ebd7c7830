import type { Cell, CellStyle } from '@maxgraph/core';

/** A style with draw.io's keys, including those that maxGraph does not know, and the text that it was read from. */
type DrawioStyle = CellStyle & { readonly drawio: string };

/** Reads `ellipse;whiteSpace=wrap;html=1;`: names of styles, and keys with values. */
export function parseDrawioStyle(text: string): DrawioStyle {
  const style: Record<string, unknown> = { drawio: text };
  const names: string[] = [];
  for (const part of text.split(';').filter((one) => one !== '')) {
    const at = part.indexOf('=');
    if (at < 0) names.push(part);
    else style[part.slice(0, at)] = parseStyleValue(part.slice(at + 1));
  }
  if (names.length > 0) style.baseStyleNames = names;
  return style as DrawioStyle;
}

function parseStyleValue(text: string): string | number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** A cell's style in draw.io's notation; a copy of a cell has it, too. */
export function readStyleText(cell: Cell): string {
  const { drawio } = cell.getStyle() as Partial<DrawioStyle>;
  return drawio ?? '';
}

export function isHtml(style: string): boolean {
  return /(?:^|;)html=1(?:;|$)/.test(style);
}

/** A label as draw.io keeps it, as plain text: with `html=1` in the style it is HTML. */
export function readLabelText(label: string, isHtml: boolean): string {
  if (!isHtml) return label;
  const broken = label.replaceAll(
    /<br\s*\/?>|<\/(?:div|p|li|h[1-6])>(?=\s*<(?:div|p|li|h[1-6])|\s*\S)/gi,
    '\n',
  );
  // Parsed apart from the page: nothing in it is loaded or run.
  return (new DOMParser().parseFromString(broken, 'text/html').body.textContent ?? '').trim();
}

/** The other way round. */
export function makeLabel(text: string, isHtml: boolean): string {
  return isHtml ? escapeLabel(text).replaceAll('\n', '<br>') : text;
}

export function escapeLabel(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
