import type { Mark } from '../../protocol/index.ts';

/** The states of an element, from ARIA or from the element itself. */
export function stateOf(element: Element, focused: boolean): Mark['state'] {
  const aria = (name: string) => element.getAttribute(`aria-${name}`);
  const input = element as Partial<HTMLInputElement>;
  const expanded = aria('expanded');
  return {
    ...(focused && { focused: true }),
    ...((aria('checked') === 'true' || input.checked === true) && { checked: true }),
    ...((aria('pressed') === 'true' || element.matches('.monaco-custom-toggle.checked')) && {
      checked: true,
    }),
    ...(expanded === 'true' && { expanded: true }),
    ...(expanded === 'false' && { collapsed: true }),
    ...(aria('selected') === 'true' && { selected: true }),
    ...((aria('disabled') === 'true' ||
      input.disabled === true ||
      element.classList.contains('disabled')) && {
      disabled: true,
    }),
  };
}
