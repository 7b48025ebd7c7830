import { watchPauses } from './pauses.ts';

/** Runs in the world of the page's own scripts, before them. */

// There is only one window. VS Code treats this as a blocked pop-up and says so if it matters.
window.open = () => null;
if (window === window.top) watchPauses();
