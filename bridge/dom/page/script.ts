import { clip } from '../../text/index.ts';
import { ActivityWatcher } from './activity.ts';
import type { PageApi } from './api.ts';
import { readCaret, readFocus } from './focus.ts';
import { findVisibleBox, ForeignFrames, readElementAt } from './locate.ts';
import { PageMarks } from './marks.ts';
import { drawOverlay } from './overlay.ts';
import { readStaticText, TreeNumbers, writeElementTree } from './page-text.ts';
import { readProbe } from './probe.ts';
import { setFrameOrigin } from './views.ts';
import { hasKeyboard, isWorkbench, readWorkbenchState } from './workbench.ts';

/**
 * Runs inside the page, in a world of its own: the page's scripts neither see it nor can they change it.
 * Evaluated again in the same document, it keeps its state.
 */

declare global {
  var pwpPage: PageApi | undefined;
}

function install(): PageApi {
  const marks = new PageMarks();
  const frames = new ForeignFrames();
  const tree = new TreeNumbers();
  const activity = new ActivityWatcher();
  activity.watch();
  return {
    observe(request) {
      setFrameOrigin(request.place);
      activity.watch();
      const { foreign, inside, ...read } = marks.read(request);
      return {
        workbench: isWorkbench() && hasKeyboard(),
        url: clip(location.href, 4096),
        title: clip(document.title, 1000),
        focus: readFocus(),
        caret: readCaret(),
        ...read,
        frames: frames.describe(foreign, inside),
      };
    },
    locate(id, place) {
      setFrameOrigin(place);
      return marks.locate(id);
    },
    frames(place) {
      setFrameOrigin(place);
      return frames.read();
    },
    frame: (key) => frames.element(key),
    shows: (key, points) => frames.shows(key, points),
    tree: (request) => writeElementTree(request, tree),
    text: readStaticText,
    under: (point) => readElementAt(point, (element) => marks.idOf(element)),
    activity: () => ({ workbench: isWorkbench() && hasKeyboard(), ...activity.read() }),
    probe: (points) => readProbe(points, activity),
    state: readWorkbenchState,
    boxOf: (selector) => findVisibleBox(selector),
    overlay: drawOverlay,
  };
}

// A frame that another document can reach is read from there: it knows where on the screen the frame is.
if (!window.frameElement) globalThis.pwpPage ??= install();
