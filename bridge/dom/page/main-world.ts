/** Runs in the world of the page's own scripts, before them. */
import { watchPauses } from './pauses.ts';

// There is one window. VS Code takes this for a blocked pop-up and says so where it matters.
window.open = () => null;
if (window === window.top) watchPauses();
