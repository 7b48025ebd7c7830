import type { Mark } from '../../../../bridge/protocol/index.ts';
import type { EpisodeOutput } from '../episodes/index.ts';

type Seen = Pick<EpisodeOutput<'observe'>['observation'], 'title' | 'width' | 'height' | 'marks'>;

/** The names of these spaces are agreed with the programs that read them; there is nothing at the addresses. */
const spaces = {
  st: 'https://accessibility.ubuntu.example.org/ns/state',
  cp: 'https://accessibility.ubuntu.example.org/ns/component',
};

/** Names of elements that agents for OSWorld look at; of AT-SPI, if it has one for the role. */
const tags: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ button: 'push-button', textbox: 'entry', searchbox: 'entry', combobox: 'combo-box' },
    ...{ checkbox: 'check-box', switch: 'check-box', radio: 'radio-button', link: 'link', img: 'image' },
    ...{ menuitem: 'menu-item', menuitemcheckbox: 'check-menu-item', menuitemradio: 'radio-menu-item' },
    ...{ menu: 'menu', listitem: 'list-item', option: 'list-item', row: 'list-item', treeitem: 'tree-item' },
    ...{
      tab: 'tab-item',
      breadcrumb: 'breadcrumb-item',
      heading: 'heading',
      alert: 'alert',
      slider: 'slider',
    },
    ...{ dialog: 'alert', alertdialog: 'alert', gridcell: 'table-cell', line: 'text', canvas: 'canvas' },
    ...{ 'terminal line': 'terminal' },
  }),
);

/** What an observation shows, as the XML of an accessibility tree of Linux: a window with one element for each mark. */
export function writeAccessibilityTree({ title, width, height, marks }: Seen): string {
  const window = { x: 0, y: 0, width, height };
  const open = ['active', 'enabled', 'showing', 'visible'];
  // As the desktop reports them: a table of episodes passes them on.
  const elements = (marks as Mark[]).map(writeMark).join('\n');
  const frame = `<frame ${writeAttributes(title, window, open)}>\n${elements}\n</frame>`;
  const declared = Object.entries(spaces).map(([prefix, name]) => `xmlns:${prefix}="${name}"`);
  return `<desktop-frame name="main" ${declared.join(' ')}>\n<application name="Visual Studio Code">\n${frame}\n</application>\n</desktop-frame>`;
}

function writeMark({ role, name, value, state, box }: Mark): string {
  const tag = tags.get(role) ?? 'section';
  const states = [
    ...['showing', 'visible', ...(state.disabled ? [] : ['enabled', 'sensitive'])],
    ...(tag === 'entry' ? ['editable'] : []),
    ...((state.expanded ?? state.collapsed) ? ['expandable'] : []),
    ...(['focused', 'checked', 'expanded', 'selected'] as const).filter((one) => state[one]),
  ];
  return `<${tag} ${writeAttributes(name, box, states)}>${escapeXml(value ?? '')}</${tag}>`;
}

function writeAttributes(name: string, box: Mark['box'], states: readonly string[]): string {
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map((one) =>
    Math.max(0, Math.round(one)),
  );
  const all = states.map((state) => `st:${state}="true"`).join(' ');
  return `name="${escapeXml(name)}" cp:screencoord="(${x}, ${y})" cp:size="(${width}, ${height})" ${all}`;
}

/** Characters that XML can't have at all become �. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll(/[&<>"'\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
