// Draws the pictures of the mock-up tasks from their expected diagrams: node tasks/general-swe/lib/mockup-pictures.mjs
// Not part of any run: the pictures are kept as files. They show the content of tests/expected.drawio.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { readDrawio } from '../../../host/tasks/grade/checks/index.ts';

const family = new URL('..', import.meta.url);
const margin = 50;

for (const task of (await readdir(family)).filter((name) => name.startsWith('mockup-'))) {
  const expected = await readFile(new URL(`${task}/tests/expected.drawio`, family), 'utf8');
  const { diagram } = readDrawio(expected);
  const png = await sharp(Buffer.from(draw(diagram)))
    .png()
    .toBuffer();
  await writeFile(new URL(`${task}/environment/workspace/mockup.png`, family), png);
}

function draw({ shapes, arrows }) {
  const right = Math.max(...shapes.map(({ x, width }) => x + width / 2)) + margin;
  const bottom = Math.max(...shapes.map(({ y, height }) => y + height / 2)) + margin;
  const byId = new Map(shapes.map((shape) => [shape.id, shape]));
  const lines = arrows.map(({ from, to, label, heads }) => arrow(byId.get(from), byId.get(to), label, heads));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${right}" height="${bottom}" font-family="DejaVu Sans" font-size="13">
<defs><marker id="head" viewBox="0 0 10 10" refX="9.5" refY="5" markerWidth="9" markerHeight="9" orient="auto-start-reverse">
<path d="M0 0 10 5 0 10Z"/></marker></defs>
<rect width="100%" height="100%" fill="#fff"/>
${lines.join('\n')}
${shapes.map(shapeSvg).join('\n')}
</svg>`;
}

function shapeSvg({ kind, label, x, y, width: w, height: h }) {
  const [left, top] = [x - w / 2, y - h / 2];
  const ink = 'fill="#fff" stroke="#222" stroke-width="1.5"';
  const outline = {
    rectangle: `<rect x="${left}" y="${top}" width="${w}" height="${h}" ${ink}/>`,
    rounded: `<rect x="${left}" y="${top}" width="${w}" height="${h}" rx="14" ${ink}/>`,
    ellipse: `<ellipse cx="${x}" cy="${y}" rx="${w / 2}" ry="${h / 2}" ${ink}/>`,
    diamond: `<path d="M${x} ${top}L${left + w} ${y}L${x} ${top + h}L${left} ${y}Z" ${ink}/>`,
    cylinder:
      `<path d="M${left} ${top + 12}V${top + h - 12}C${left} ${top + h + 4} ${left + w} ${top + h + 4} ${left + w} ` +
      `${top + h - 12}V${top + 12}C${left + w} ${top - 4} ${left} ${top - 4} ${left} ${top + 12}C${left} ${top + 28} ` +
      `${left + w} ${top + 28} ${left + w} ${top + 12}" ${ink}/>`,
    text: '',
  }[kind];
  return `${outline}<text x="${x}" y="${y + 5}" text-anchor="middle">${escape(label)}</text>`;
}

/** Straight where the shapes lie in one row or column, else with one corner. */
function arrow(from, to, label, heads) {
  const flat = Math.abs(from.y - to.y) < 10;
  const upright = Math.abs(from.x - to.x) < 10;
  const corner = { x: to.x, y: from.y };
  const start = edgeOf(from, flat || upright ? to : corner);
  const end = edgeOf(to, flat || upright ? from : corner);
  const path = flat || upright ? [start, end] : [start, corner, end];
  const at = flat || upright ? { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 } : corner;
  const marks = `${heads === 'none' ? '' : 'marker-end="url(#head)"'} ${heads === 'both' ? 'marker-start="url(#head)"' : ''}`;
  const points = path.map(({ x, y }) => `${x},${y}`).join(' ');
  const width = 8 * label.length + 6;
  const words =
    label === ''
      ? ''
      : `<rect x="${at.x - width / 2}" y="${at.y - 10}" width="${width}" height="20" fill="#fff"/>` +
        `<text x="${at.x}" y="${at.y + 5}" text-anchor="middle">${escape(label)}</text>`;
  return `<polyline points="${points}" fill="none" stroke="#222" stroke-width="1.5" ${marks}/>${words}`;
}

/** Where a line from a shape's middle to another point leaves the shape, for lines along the axes. */
function edgeOf({ x, y, width, height }, towards) {
  if (Math.abs(towards.y - y) < 10) return { x: x + (Math.sign(towards.x - x) * width) / 2, y: towards.y };
  return { x: towards.x, y: y + (Math.sign(towards.y - y) * height) / 2 };
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
