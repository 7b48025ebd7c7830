/**
 * Runs inside the page, in a world of its own: the page's scripts neither see it nor can they change it.
 * Evaluated again in the same document, it keeps its state.
 */
import { clip } from '../../text/index.ts';
import { Activity } from './activity.ts';
import type { PageApi } from './api.ts';
import { readCaret, readFocus } from './focus.ts';
import { Frames } from './frames.ts';
import { Marks } from './marks.ts';
import { boxOf } from './box-of.ts';
import { drawOverlay } from './overlay.ts';
import { readProbe } from './probe.ts';
import { TreeNumbers, writeTree } from './tree.ts';
import { readText } from './static-text.ts';
import { readUnder } from './under.ts';
import { setOrigin } from './views.ts';
import { hasKeyboard, isWorkbench, readState } from './workbench.ts';

declare global {
  var pwpPage: PageApi | undefined;
}

function install(): PageApi {
  const marks = new Marks();
  const frames = new Frames();
  const tree = new TreeNumbers();
  const activity = new Activity();
  activity.watch();
  return {
    observe(request) {
      setOrigin(request.place);
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
      setOrigin(place);
      return marks.locate(id);
    },
    frames(place) {
      setOrigin(place);
      return frames.read();
    },
    frame: (key) => frames.element(key),
    shows: (key, points) => frames.shows(key, points),
    tree: (request) => writeTree(request, tree),
    text: readText,
    under: (point) => readUnder(point, (element) => marks.idOf(element)),
    activity: () => ({ workbench: isWorkbench() && hasKeyboard(), ...activity.read() }),
    probe: (points) => readProbe(points, activity),
    state: readState,
    boxOf: (selector) => boxOf(selector),
    overlay: drawOverlay,
  };
}

// A frame that another document can reach is read from there: it knows where on the screen the frame is.
if (!window.frameElement) globalThis.pwpPage ??= install();
