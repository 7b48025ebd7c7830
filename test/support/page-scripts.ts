/*
 * Scripts for a page under test. Text, not functions: the compiler of the tests adds helpers to functions that a page does
 * not have.
 */

export interface PictureWidths {
  readonly thumbs: number[];
  readonly screens: number[];
}

/** Decodes every picture of the page, those defined in SVG too, and returns their widths in pixels. */
export const pictureWidths = `(async () => {
  const width = async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    return image.naturalWidth;
  };
  const all = (query, name) => Promise.all([...document.querySelectorAll(query)].map((one) => width(one.getAttribute(name))));
  return { thumbs: await all('img', 'src'), screens: await all('image', 'href') };
})()`;

/** Texts of the page whose contrast with the nearest opaque ground is under 4.5 to 1. */
export const faintTexts = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const linear = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) =>
    0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
  const groundOf = (element) => {
    if (element === null) return [255, 255, 255];
    const ground = rgba(getComputedStyle(element).backgroundColor);
    return ground[3] === 255 ? ground : groundOf(element.parentElement);
  };
  const holdsText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim() !== '');
  return [...document.querySelectorAll('main *')]
    .filter((element) => element.closest('svg') === null && holdsText(element))
    .map((element) => {
      const [a, b] = [light(rgba(getComputedStyle(element).color)), light(groundOf(element))];
      return { text: element.textContent.trim(), contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
    })
    .filter(({ contrast }) => contrast < 4.5)
    .map(({ text, contrast }) => contrast.toFixed(2) + ' ' + text);
})()`;

/**
 * A function of points of the screen and selectors: for each point, the boxes of all matches drawn there, in the editor
 * or terminal that has the mouse there, regardless of transparent layers on top.
 */
export const layersAt = `((points, selectors) => points.map(({ x, y }, i) => {
  const surface = document.elementFromPoint(x, y)?.closest('.monaco-editor, .xterm');
  return [...(surface?.querySelectorAll(selectors[i]) ?? [])]
    .map((element) => element.getBoundingClientRect())
    .filter(({ left, top, right, bottom }) => left <= x && x < right && top <= y && y < bottom)
    .map(({ left, top, width, height }) => ({ x: left, y: top, width, height }));
}))`;

/**
 * A function of points of the screen: for each, the boxes of the innermost element there and of all its ancestors,
 * through frames and shadow trees, as the browser reports them.
 */
export const boxesAt = `((points) => points.map(({ x, y }) => {
  let [root, dx, dy] = [document, 0, 0];
  let hit = null;
  for (let depth = 0; depth < 12; depth++) {
    const next = root.elementFromPoint(x - dx, y - dy);
    if (!next || next === hit) break;
    hit = next;
    const inner = hit.localName === 'iframe' ? hit.contentDocument : null;
    if (inner) {
      const { left, top } = hit.getBoundingClientRect();
      [root, dx, dy] = [inner, dx + left + hit.clientLeft, dy + top + hit.clientTop];
    } else if (hit.shadowRoot) root = hit.shadowRoot;
    else break;
  }
  const boxes = [];
  for (let node = hit; node && boxes.length < 12; node = node.parentElement ?? node.getRootNode().host) {
    const { left, top, width, height } = node.getBoundingClientRect();
    boxes.push({ x: left + dx, y: top + dy, width, height });
  }
  return boxes;
}))`;

/** A function of a selector: the texts of its matches that share an area with another one, in pairs. */
export const meetingBoxes = `((selector) => {
  const boxes = [...document.querySelectorAll(selector)].map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }));
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a.box, b.box)).map((b) => a.text + ' ' + b.text));
})`;
