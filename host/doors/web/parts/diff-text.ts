import { formatCount } from '../../../../bridge/text/index.ts';
import type { DiffLine, ShownEdit } from '../../../read/index.ts';
import { html, type Html } from './html.ts';

const lineClasses = { '+': 'added', '-': 'removed', ' ': 'same', '@': 'place' } as const;

/** The change of files by one call. */
export function editFigure({ files, lines, omitted }: ShownEdit): Html {
  return html`<figure class="edited">
    <figcaption>
      ${files.map(({ path, counts }) => html`<span><code>${path}</code> ${counts}</span>`)}
    </figcaption>
    ${lines.length > 0 && diffText(lines, ' ')}
    ${omitted > 0 && html`<p class="quiet">and ${formatCount(omitted, 'more line')}</p>`}
  </figure>`;
}

/** A patch as Git writes it. */
export function patchText(text: string): Html {
  let inHunk = false;
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line): DiffLine => {
      // A removed line may look like a header, but comes after its hunk's header.
      inHunk = line.startsWith('@@') || (inHunk && !line.startsWith('diff '));
      const [sign = ' '] = line;
      const isContent = inHunk && (sign === '+' || sign === '-' || sign === ' ');
      return isContent ? { sign, text: line.slice(1) } : { sign: '@', text: line };
    });
  return diffText(lines, '');
}

/** @param gap between the sign and the text */
function diffText(lines: readonly DiffLine[], gap: string): Html {
  const shown = lines.map(({ sign, text }) => {
    const line = sign === '@' ? text : `${sign}${gap}${text}`;
    return html`<span class="${lineClasses[sign]}">${`${line}\n`}</span>`;
  });
  return html`<pre tabindex="0">${shown}</pre>`;
}
