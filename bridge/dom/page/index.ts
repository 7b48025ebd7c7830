/**
 * Runs inside the page, in a world of its own: the page's scripts neither see it nor can they change it.
 * Evaluated again in the same document it keeps what it has.
 */
import { Activity } from './activity.ts';
import type { PageApi } from './api.ts';
import { readCaret, readFocus } from './focus.ts';
import { Marks } from './marks.ts';
import { readProbe } from './probe.ts';
import { writeTree } from './tree.ts';
import { readState } from './workbench.ts';

declare global {
  var pwpPage: PageApi | undefined;
}

function install(): PageApi {
  const marks = new Marks();
  const activity = new Activity();
  activity.watch();
  return {
    observe(limit, nextId) {
      activity.watch();
      return {
        url: location.href.slice(0, 4096),
        title: document.title.slice(0, 1000),
        focus: readFocus(),
        caret: readCaret(),
        ...marks.read(limit, nextId),
      };
    },
    locate: (id) => marks.locate(id),
    tree(within, depth, maxChars) {
      const root = document.querySelector(within);
      return root && writeTree(root, depth, maxChars);
    },
    activity: () => activity.read(),
    probe: (points) => readProbe(points, activity),
    state: readState,
  };
}

// Frames are read from the top document, which alone knows where on the screen they are.
if (window.top === window) globalThis.pwpPage ??= install();
