import type { DrawnMark } from './api.ts';

let drawnOverlay: { readonly host: HTMLElement; readonly tree: ShadowRoot } | undefined;

/**
 * Draws marks over the page, in place of earlier ones; an empty list removes the drawing. It is in a closed tree that
 * ignores the pointer: reading the page, waiting for it to be still and clicking work as if it were not there.
 */
export function drawOverlay(marks: readonly DrawnMark[]): number {
  if (marks.length === 0) {
    drawnOverlay?.host.remove();
    return 0;
  }
  drawnOverlay ??= createOverlay();
  drawnOverlay.tree.replaceChildren(...marks.map(createMarkFrame));
  if (!drawnOverlay.host.isConnected) document.documentElement.append(drawnOverlay.host);
  return marks.length;
}

function createOverlay(): { host: HTMLElement; tree: ShadowRoot } {
  const host = document.createElement('pwp-marks');
  host.setAttribute('aria-hidden', 'true');
  applyStyle(host, { position: 'fixed', inset: '0', 'pointer-events': 'none', 'z-index': '2147483647' });
  return { host, tree: host.attachShadow({ mode: 'closed' }) };
}

function createMarkFrame({ id, hue, box }: DrawnMark): HTMLElement {
  const frame = document.createElement('div');
  applyStyle(frame, {
    position: 'absolute',
    left: `${box.x}px`,
    top: `${box.y}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
    outline: `1px solid hsl(${hue} 80% 60% / 80%)`,
    'outline-offset': '-1px',
  });
  const label = document.createElement('span');
  label.textContent = String(id);
  // At the far end of a wide element, where it covers least.
  applyStyle(label, {
    position: 'absolute',
    top: '0',
    [box.width >= 60 ? 'right' : 'left']: '0',
    padding: '0 2px',
    background: `hsl(${hue} 70% 32% / 90%)`,
    color: '#fff',
    font: '9px/1.25 monospace',
  });
  frame.append(label);
  return frame;
}

function applyStyle(element: HTMLElement, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value);
}
