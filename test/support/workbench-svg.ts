/** The content of one drawn screen. */
export interface Scene {
  /** Lines of the editor. */
  readonly code: readonly string[];
  /** File name on the active tab. */
  readonly tab: string;
  readonly dirty?: boolean;
  /** Text in the command palette, which is open if this is set. */
  readonly palette?: string;
  readonly suggestions?: readonly string[];
  /** Lines of the terminal. */
  readonly terminal?: readonly string[];
  /** Zero-based line with a highlight. */
  readonly line?: number;
}

const sans = 'font-family="Noto Sans, DejaVu Sans, sans-serif"';
const mono = 'font-family="DejaVu Sans Mono, monospace"';
const files = ['▾ src', '   inventory.py', '   test_inventory.py', '   README.md', '   pyproject.toml'];

/** VS Code's workbench in its dark theme, 1920 by 1080, near enough to stand in for a screenshot. */
export function workbenchSvg(scene: Scene): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080" xml:space="preserve">
    <rect width="1920" height="1080" fill="#1f1f1f"/>
    ${frame()}${explorer(scene)}${tab(scene)}${editor(scene)}${terminal(scene)}${status(scene)}${palette(scene)}
  </svg>`;
}

function frame(): string {
  const icons = [67, 129, 191, 253, 315].map(
    (y) => `<circle cx="32" cy="${y}" r="12" fill="none" stroke="#868686" stroke-width="2"/>`,
  );
  return `<rect width="1920" height="36" fill="#181818"/><rect x="620" y="5" width="680" height="26" rx="6" fill="#2a2a2a" stroke="#3c3c3c"/>
    <text x="920" y="23" ${sans} font-size="14" fill="#9d9d9d">stock</text>
    <rect y="36" width="64" height="1012" fill="#181818"/>${icons.join('')}<rect y="36" width="3" height="62" fill="#0078d4"/>`;
}

function explorer({ tab: active }: Scene): string {
  const rows = files.map((name, index) => {
    const y = 112 + index * 30;
    const shade =
      name.trim() === active ? `<rect x="64" y="${y}" width="320" height="30" fill="#37373d"/>` : '';
    return `${shade}<text x="92" y="${y + 21}" ${sans} font-size="17" fill="#cccccc">${escape(name)}</text>`;
  });
  return `<rect x="64" y="36" width="320" height="1012" fill="#181818"/>
    <text x="90" y="66" ${sans} font-size="14" fill="#bbbbbb">EXPLORER</text>
    <text x="90" y="100" ${sans} font-size="15" font-weight="700" fill="#cccccc">STOCK</text>${rows.join('')}`;
}

function tab({ tab: name, dirty }: Scene): string {
  const mark = dirty === true ? '●' : '×';
  return `<rect x="384" y="36" width="1536" height="46" fill="#181818"/><rect x="384" y="36" width="230" height="46" fill="#1f1f1f"/>
    <rect x="384" y="36" width="230" height="2" fill="#0078d4"/>
    <text x="412" y="66" ${sans} font-size="17" fill="#ffffff">${escape(name)}</text><text x="586" y="66" ${sans} font-size="17" fill="#cccccc">${mark}</text>
    <text x="404" y="103" ${sans} font-size="15" fill="#a0a0a0">src › ${escape(name)}</text>`;
}

function editor({ code, line }: Scene): string {
  const shade =
    line === undefined
      ? ''
      : `<rect x="384" y="${116 + line * 27}" width="1440" height="27" fill="#2a2d2e"/>`;
  const rows = code.map((text, index) => {
    const y = 136 + index * 27;
    return `<text x="440" y="${y}" ${mono} font-size="19" fill="#6e7681" text-anchor="end">${index + 1}</text>
      <text x="470" y="${y}" ${mono} font-size="19" fill="#cccccc">${colour(text)}</text>`;
  });
  return shade + rows.join('');
}

function terminal({ terminal: lines }: Scene): string {
  if (lines === undefined) return '';
  const rows = lines.map(
    (text, i) =>
      `<text x="412" y="${838 + i * 25}" ${mono} font-size="17" fill="#cccccc">${escape(text)}</text>`,
  );
  return `<rect x="384" y="772" width="1536" height="276" fill="#181818"/><rect x="384" y="772" width="1536" height="1" fill="#2b2b2b"/>
    <text x="412" y="802" ${sans} font-size="14" fill="#e7e7e7">TERMINAL</text><rect x="412" y="810" width="72" height="2" fill="#0078d4"/>${rows.join('')}`;
}

function status({ line }: Scene): string {
  return `<rect y="1048" width="1920" height="32" fill="#181818"/><rect y="1048" width="1920" height="1" fill="#2b2b2b"/>
    <rect y="1048" width="44" height="32" fill="#0078d4"/>
    <text x="1500" y="1069" ${sans} font-size="15" fill="#cccccc">Ln ${(line ?? 0) + 1}, Col 24      Spaces: 4      UTF-8      LF      Python</text>`;
}

function palette({ palette: text, suggestions = [] }: Scene): string {
  if (text === undefined) return '';
  const rows = suggestions.map((name, i) => {
    const y = 86 + i * 32;
    const shade = i === 0 ? `<rect x="572" y="${y}" width="776" height="30" rx="4" fill="#04395e"/>` : '';
    return `${shade}<text x="590" y="${y + 21}" ${sans} font-size="16" fill="#e0e0e0">${escape(name)}</text>`;
  });
  return `<rect x="560" y="34" width="800" height="${70 + suggestions.length * 32}" rx="8" fill="#222222" stroke="#454545"/>
    <rect x="572" y="44" width="776" height="34" rx="4" fill="#313131" stroke="#0078d4"/>
    <text x="584" y="67" ${sans} font-size="17" fill="#ffffff">${escape(text)}</text>${rows.join('')}`;
}

function colour(text: string): string {
  return escape(text)
    .replace(/^(\s*)(def|class|for|if|return|import|from)\b/, '$1<tspan fill="#c586c0">$2</tspan>')
    .replace(/(&quot;.*?&quot;)/g, '<tspan fill="#ce9178">$1</tspan>')
    .replace(/\b(\d+)\b(?![^<]*>)/g, '<tspan fill="#b5cea8">$1</tspan>');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
