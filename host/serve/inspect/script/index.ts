import { labels } from './labels.ts';
import { marks } from './marks.ts';
import { start } from './start.ts';
import { tree } from './tree.ts';

/** What runs in the inspector's page, as text: plain JavaScript, one scope. */
export const script = `'use strict';\n${tree}${labels}${marks}${start}`;
