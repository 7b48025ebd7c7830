import * as z from 'zod';
import { deadline, poll, PwpError } from '../../../lib/index.ts';
import type { dataTools, ToolImage, ToolInput } from '../../../protocol/index.ts';
import { clip } from '../../../text/index.ts';
import type { BrowserTab } from './browser-tab.ts';

type TestAction = ToolInput<typeof dataTools.browserTest>['actions'][number];
type ActionOf<K extends TestAction['do']> = Extract<TestAction, { do: K }>;

/** How long to wait, in milliseconds, for a page that an action led to before the next action begins. */
const LOAD_MS = 5000;

const textAnswer = z.string();
const spotAnswer = z.object({ x: z.number(), y: z.number() });
const areaAnswer = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const navigated = z.object({ errorText: z.string().optional(), loaderId: z.string().optional() });
const captured = z.object({ data: z.string() });

/** Receives an action's picture. */
type AttachPicture = (image: ToolImage) => void;

/** Does one action, and returns what it read, or null. Errors: a `PwpError` with the reason. */
export async function performBrowserAction(
  tab: BrowserTab,
  action: TestAction,
  attach: AttachPicture,
  signal: AbortSignal,
): Promise<string | null> {
  switch (action.do) {
    case 'goto':
      return openUrl(tab, action, signal);
    case 'click':
      return clickElement(tab, action, signal);
    case 'type':
      return typeText(tab, action, signal);
    case 'press':
      await pressKey(tab, action.key, signal);
      return waitForNavigation(tab, signal);
    case 'select':
      return pollPage(tab, action.selector, chooseOptionScript, action, textAnswer, signal);
    case 'wait':
      return waitForElement(tab, action, signal);
    case 'read':
      return pollPage(
        tab,
        action.selector ?? 'the page',
        readPartScript,
        { selector: 'body', ...action },
        textAnswer,
        signal,
      );
    case 'screenshot':
      return takeScreenshot(tab, action, attach, signal);
  }
}

async function openUrl(tab: BrowserTab, { url }: ActionOf<'goto'>, signal: AbortSignal): Promise<null> {
  tab.expectLoading();
  const { errorText, loaderId } = navigated.parse(await tab.send('Page.navigate', { url }, signal));
  if (errorText !== undefined) throw new PwpError('page-error', `${clip(url, 500)}: ${errorText}`);
  // Without a loader the page stays and only its fragment changes.
  if (loaderId !== undefined) await tab.loaded(signal);
  return null;
}

/** Clicks in the middle, once nothing covers it and it is enabled. */
async function clickElement(
  tab: BrowserTab,
  { selector }: ActionOf<'click'>,
  signal: AbortSignal,
): Promise<null> {
  const at = await pollPage(tab, selector, aimScript, { selector }, spotAnswer, signal);
  const mouse = (kind: string, buttons: number) =>
    tab.send(
      'Input.dispatchMouseEvent',
      { type: kind, ...at, button: kind === 'mouseMoved' ? 'none' : 'left', buttons, clickCount: 1 },
      signal,
    );
  await mouse('mouseMoved', 0);
  await mouse('mousePressed', 1);
  await mouse('mouseReleased', 0);
  return waitForNavigation(tab, signal);
}

/** Returns the field's value afterwards. */
async function typeText(tab: BrowserTab, action: ActionOf<'type'>, signal: AbortSignal): Promise<string> {
  await pollPage(tab, action.selector ?? 'a focused field', focusFieldScript, action, z.null(), signal);
  if (action.text === '') {
    if (action.clear) await pressKey(tab, 'Delete', signal);
  } else await tab.send('Input.insertText', { text: action.text }, signal);
  return pollPage(tab, 'the field', fieldValueScript, {}, textAnswer, signal);
}

async function waitForElement(tab: BrowserTab, action: ActionOf<'wait'>, signal: AbortSignal): Promise<null> {
  if (action.selector === undefined && action.text === undefined)
    throw new PwpError('page-error', 'give a selector, a text, or both');
  const what = [action.selector, action.text].filter((part) => part !== undefined).join(' with ');
  return pollPage(tab, action.gone ? `the end of ${what}` : what, waitForScript, action, z.null(), signal);
}

async function takeScreenshot(
  tab: BrowserTab,
  { selector }: ActionOf<'screenshot'>,
  attach: AttachPicture,
  signal: AbortSignal,
): Promise<string> {
  const clip =
    selector === undefined
      ? undefined
      : await pollPage(tab, selector, areaScript, { selector }, areaAnswer, signal);
  const params = clip ? { clip: { ...clip, scale: 1 }, captureBeyondViewport: true } : {};
  const { data } = captured.parse(
    await tab.send('Page.captureScreenshot', { format: 'png', ...params }, signal),
  );
  attach({ mime: 'image/png', base64: data, title: selector ?? 'the page' });
  return 'attached';
}

/** An action may lead to another page, which the next action is about. A page that loads for too long is not awaited. */
async function waitForNavigation(tab: BrowserTab, signal: AbortSignal): Promise<null> {
  using limit = deadline('loading', LOAD_MS, signal);
  // The browser answers input requests, and the page itself reports that it navigates: this answer comes after that.
  await tab.send('Runtime.evaluate', { expression: '0' }, limit.signal).catch(() => undefined);
  await tab.loaded(limit.signal).catch(() => undefined);
  return null;
}

const aimScript = String.raw`
const e = find($.selector);
if (!e) return absent($.selector);
if (e.disabled) return { saw: called(e) + ' is disabled' };
e.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
const r = e.getBoundingClientRect();
const x = (Math.max(0, r.left) + Math.min(innerWidth, r.right)) / 2;
const y = (Math.max(0, r.top) + Math.min(innerHeight, r.bottom)) / 2;
const hit = document.elementFromPoint(x, y);
if (!hit) return { saw: called(e) + ' is outside of the window' };
const ours = e.contains(hit) || hit.contains(e) && hit.tagName === 'LABEL' || hit.shadowRoot?.contains(e);
return ours ? { value: { x, y } } : { saw: called(e) + ' is covered by ' + called(hit) };`;

const focusFieldScript = String.raw`
const e = $.selector === undefined ? document.activeElement : find($.selector);
if (!e || e === document.body) return $.selector === undefined ? { saw: 'nothing has the keyboard' } : absent($.selector);
if (e.disabled || e.readOnly) return { saw: called(e) + ' takes no text now' };
if (!('value' in e) && !e.isContentEditable) return { bad: called(e) + ' is not a field' };
e.focus();
if (document.activeElement !== e) return { saw: called(e) + ' does not take the keyboard' };
if ($.clear) 'value' in e ? e.select?.() : getSelection().selectAllChildren(e);
return { value: null };`;

const fieldValueScript = String.raw`
const e = document.activeElement;
return { value: String((e && ('value' in e ? e.value : e.innerText)) ?? '') };`;

const chooseOptionScript = String.raw`
const e = find($.selector);
if (!e) return absent($.selector);
if (!(e instanceof HTMLSelectElement)) return { bad: called(e) + ' is not a select element' };
const option = [...e.options].find((o) => o.value === $.value || o.label.trim() === $.value);
if (!option) return { saw: 'no option ' + $.value + ': it has ' + [...e.options].map((o) => o.value).join(', ').slice(0, 500) };
e.value = option.value;
for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, { bubbles: true }));
return { value: option.value };`;

const waitForScript = String.raw`
const e = $.selector === undefined ? document.body : find($.selector);
const has = e && ($.text === undefined || (e.innerText ?? '').includes($.text));
if (Boolean(has) !== $.gone) return { value: null };
if ($.gone) return { saw: 'it is still there' };
return e ? { saw: called(e) + ' shows ' + JSON.stringify((e.innerText ?? '').slice(0, 300)) } : absent($.selector);`;

const readPartScript = String.raw`
const list = all($.selector);
if ($.what === 'count') return { value: String(list.length) };
if ($.what === 'visible') return { value: String(list.some(shown)) };
const e = list.find(shown) ?? list[0];
if (!e) return absent($.selector);
if ($.what === 'html') return { value: e.outerHTML };
if ($.what === 'value' && !('value' in e)) return { bad: called(e) + ' has no value' };
return { value: String($.what === 'value' ? e.value : e.innerText ?? e.textContent ?? '') };`;

const areaScript = String.raw`
const e = find($.selector);
if (!e) return absent($.selector);
e.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
const { x, y, width, height } = e.getBoundingClientRect();
return { value: { x: x + scrollX, y: y + scrollY, width: Math.max(1, width), height: Math.max(1, height) } };`;

/** Evaluated in the page: functions that find visible elements. */
const pageHelpers = String.raw`
const shown = (e) => {
  const { width, height } = e.getBoundingClientRect();
  const { visibility, display } = getComputedStyle(e);
  return width > 0 && height > 0 && visibility !== 'hidden' && display !== 'none';
};
const all = (selector) => [...document.querySelectorAll(selector)];
const find = (selector) => all(selector).find(shown);
const called = (e) => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + [...e.classList].map((c) => '.' + c).join('');
const absent = (selector) => {
  const { length } = all(selector);
  return { saw: length === 0 ? 'nothing matches ' + selector : length + ' match ' + selector + ', none is visible' };
};
`;

const pollAnswer = z.union([
  z.object({ value: z.unknown() }),
  z.object({ saw: z.string() }),
  z.object({ bad: z.string() }),
]);

/**
 * Runs a piece of script in the page until it returns `{ value }`, again as long as it returns `{ saw }`. Errors:
 * `page-error` if the script throws (e.g. for an invalid selector), `timeout` with what was seen last.
 * @param body of a function, with the arguments in `$`
 */
async function pollPage<T extends z.ZodType>(
  tab: BrowserTab,
  what: string,
  body: string,
  given: unknown,
  answer: T,
  signal: AbortSignal,
): Promise<z.output<T>> {
  const expression = `(() => { ${pageHelpers}
    const $ = ${JSON.stringify(given)};
    try { return (() => { ${body} })(); } catch (error) { return { bad: String(error) }; }
  })()`;
  const probe = async () => {
    const seen = await tab.evaluate(expression, pollAnswer, signal);
    return 'saw' in seen ? ({ done: false, saw: seen.saw } as const) : ({ done: true, value: seen } as const);
  };
  const found = await poll(what, probe, { intervalMs: 50, signal });
  if ('bad' in found) throw new PwpError('page-error', found.bad);
  return answer.parse(found.value);
}

/** Keys by name, with their Windows virtual key code and the text that they type. */
const namedKeys: Readonly<Record<string, readonly [code: number, text?: string]>> = {
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
async function pressKey(tab: BrowserTab, key: string, signal: AbortSignal): Promise<void> {
  const one = [...key].length === 1 ? ([key.toUpperCase().charCodeAt(0), key] as const) : namedKeys[key];
  if (!one) {
    const names = Object.keys(namedKeys).join(', ');
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
