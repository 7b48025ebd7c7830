import { PwpError } from '../../../../lib/index.ts';
import type { Tab } from './tab.ts';

/** Keys by name, with their Windows virtual key code and the text that they type. */
const named: Readonly<Record<string, readonly [code: number, text?: string]>> = {
  Enter: [13, '\r'],
  Tab: [9],
  Escape: [27],
  Backspace: [8],
  Delete: [46],
  Space: [32, ' '],
  ArrowLeft: [37],
  ArrowUp: [38],
  ArrowRight: [39],
  ArrowDown: [40],
  PageUp: [33],
  PageDown: [34],
  End: [35],
  Home: [36],
};

/** Presses and releases one key. */
export async function pressKey(tab: Tab, key: string, signal: AbortSignal): Promise<void> {
  const one = [...key].length === 1 ? ([key.toUpperCase().charCodeAt(0), key] as const) : named[key];
  if (!one) {
    const names = Object.keys(named).join(', ');
    throw new PwpError('page-error', `unknown key ${key}; there are ${names}, and single characters`);
  }
  const [code, text] = one;
  const event = { key: key === 'Space' ? ' ' : key, code: key, windowsVirtualKeyCode: code };
  const down = {
    type: text === undefined ? 'rawKeyDown' : 'keyDown',
    ...event,
    ...(text !== undefined && { text }),
  };
  await tab.send('Input.dispatchKeyEvent', down, signal);
  await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event }, signal);
}
