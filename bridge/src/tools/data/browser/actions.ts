import * as z from 'zod';
import { PwpError, deadline, clip } from '../../../../lib/index.ts';
import type { ToolImage, dataTools, ToolInput } from '../../../../protocol/index.ts';
import { pressKey } from './keys.ts';
import { look } from './look.ts';
import type { Tab } from './tab.ts';

type Action = ToolInput<typeof dataTools.browserTest>['actions'][number];
type Of<K extends Action['do']> = Extract<Action, { do: K }>;

/** How long to wait, in milliseconds, for a page that an action led to before the next action begins. */
const LOAD_MS = 5000;

const text = z.string();
const spot = z.object({ x: z.number(), y: z.number() });
const area = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const navigated = z.object({ errorText: z.string().optional(), loaderId: z.string().optional() });
const captured = z.object({ data: z.string() });

/** Receives an action's picture. */
export type Attach = (image: ToolImage) => void;

/** Does one action, and returns what it read, or null. Errors: a `PwpError` with the reason. */
export async function perform(
  tab: Tab,
  action: Action,
  attach: Attach,
  signal: AbortSignal,
): Promise<string | null> {
  switch (action.do) {
    case 'goto':
      return goto(tab, action, signal);
    case 'click':
      return click(tab, action, signal);
    case 'type':
      return type(tab, action, signal);
    case 'press':
      await pressKey(tab, action.key, signal);
      return afterwards(tab, signal);
    case 'select':
      return look(tab, action.selector, chooseOption, action, text, signal);
    case 'wait':
      return wait(tab, action, signal);
    case 'read':
      return look(
        tab,
        action.selector ?? 'the page',
        readPart,
        { selector: 'body', ...action },
        text,
        signal,
      );
    case 'screenshot':
      return screenshot(tab, action, attach, signal);
  }
}

async function goto(tab: Tab, { url }: Of<'goto'>, signal: AbortSignal): Promise<null> {
  tab.expectLoading();
  const { errorText, loaderId } = navigated.parse(await tab.send('Page.navigate', { url }, signal));
  if (errorText !== undefined) throw new PwpError('page-error', `${clip(url, 500)}: ${errorText}`);
  // Without a loader the page stays and only its fragment changes.
  if (loaderId !== undefined) await tab.loaded(signal);
  return null;
}

/** Clicks in the middle, once nothing covers it and it is enabled. */
async function click(tab: Tab, { selector }: Of<'click'>, signal: AbortSignal): Promise<null> {
  const at = await look(tab, selector, aim, { selector }, spot, signal);
  const mouse = (kind: string, buttons: number) =>
    tab.send(
      'Input.dispatchMouseEvent',
      { type: kind, ...at, button: kind === 'mouseMoved' ? 'none' : 'left', buttons, clickCount: 1 },
      signal,
    );
  await mouse('mouseMoved', 0);
  await mouse('mousePressed', 1);
  await mouse('mouseReleased', 0);
  return afterwards(tab, signal);
}

/** Returns the field's value afterwards. */
async function type(tab: Tab, action: Of<'type'>, signal: AbortSignal): Promise<string> {
  await look(tab, action.selector ?? 'a focused field', focusField, action, z.null(), signal);
  if (action.text === '') {
    if (action.clear) await pressKey(tab, 'Delete', signal);
  } else await tab.send('Input.insertText', { text: action.text }, signal);
  return look(tab, 'the field', fieldValue, {}, text, signal);
}

async function wait(tab: Tab, action: Of<'wait'>, signal: AbortSignal): Promise<null> {
  if (action.selector === undefined && action.text === undefined)
    throw new PwpError('page-error', 'give a selector, a text, or both');
  const what = [action.selector, action.text].filter((part) => part !== undefined).join(' with ');
  return look(tab, action.gone ? `the end of ${what}` : what, waitFor, action, z.null(), signal);
}

async function screenshot(
  tab: Tab,
  { selector }: Of<'screenshot'>,
  attach: Attach,
  signal: AbortSignal,
): Promise<string> {
  const clip =
    selector === undefined ? undefined : await look(tab, selector, areaOf, { selector }, area, signal);
  const params = clip ? { clip: { ...clip, scale: 1 }, captureBeyondViewport: true } : {};
  const { data } = captured.parse(
    await tab.send('Page.captureScreenshot', { format: 'png', ...params }, signal),
  );
  attach({ mime: 'image/png', base64: data, title: selector ?? 'the page' });
  return 'attached';
}

/** An action may lead to another page, which the next action is about. A page that loads for too long is not awaited. */
async function afterwards(tab: Tab, signal: AbortSignal): Promise<null> {
  using limit = deadline('loading', LOAD_MS, signal);
  // The browser answers input requests, and the page itself reports that it navigates: this answer comes after that.
  await tab.send('Runtime.evaluate', { expression: '0' }, limit.signal).catch(() => undefined);
  await tab.loaded(limit.signal).catch(() => undefined);
  return null;
}

const aim = String.raw`
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

const focusField = String.raw`
const e = $.selector === undefined ? document.activeElement : find($.selector);
if (!e || e === document.body) return $.selector === undefined ? { saw: 'nothing has the keyboard' } : absent($.selector);
if (e.disabled || e.readOnly) return { saw: called(e) + ' takes no text now' };
if (!('value' in e) && !e.isContentEditable) return { bad: called(e) + ' is not a field' };
e.focus();
if (document.activeElement !== e) return { saw: called(e) + ' does not take the keyboard' };
if ($.clear) 'value' in e ? e.select?.() : getSelection().selectAllChildren(e);
return { value: null };`;

const fieldValue = String.raw`
const e = document.activeElement;
return { value: String((e && ('value' in e ? e.value : e.innerText)) ?? '') };`;

const chooseOption = String.raw`
const e = find($.selector);
if (!e) return absent($.selector);
if (!(e instanceof HTMLSelectElement)) return { bad: called(e) + ' is not a select element' };
const option = [...e.options].find((o) => o.value === $.value || o.label.trim() === $.value);
if (!option) return { saw: 'no option ' + $.value + ': it has ' + [...e.options].map((o) => o.value).join(', ').slice(0, 500) };
e.value = option.value;
for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, { bubbles: true }));
return { value: option.value };`;

const waitFor = String.raw`
const e = $.selector === undefined ? document.body : find($.selector);
const has = e && ($.text === undefined || (e.innerText ?? '').includes($.text));
if (Boolean(has) !== $.gone) return { value: null };
if ($.gone) return { saw: 'it is still there' };
return e ? { saw: called(e) + ' shows ' + JSON.stringify((e.innerText ?? '').slice(0, 300)) } : absent($.selector);`;

const readPart = String.raw`
const list = all($.selector);
if ($.what === 'count') return { value: String(list.length) };
if ($.what === 'visible') return { value: String(list.some(shown)) };
const e = list.find(shown) ?? list[0];
if (!e) return absent($.selector);
if ($.what === 'html') return { value: e.outerHTML };
if ($.what === 'value' && !('value' in e)) return { bad: called(e) + ' has no value' };
return { value: String($.what === 'value' ? e.value : e.innerText ?? e.textContent ?? '') };`;

const areaOf = String.raw`
const e = find($.selector);
if (!e) return absent($.selector);
e.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
const { x, y, width, height } = e.getBoundingClientRect();
return { value: { x: x + scrollX, y: y + scrollY, width: Math.max(1, width), height: Math.max(1, height) } };`;
