import { byId } from '../../page/index.ts';

interface KeyboardLock {
  lock?(): Promise<void>;
  unlock?(): void;
}

/** Fits the screen into the window or shows it pixel by pixel, and fills the person's own screen with it. */
export function listenToStage(onNotice: (text: string) => void): void {
  byId('fit').addEventListener('click', () => {
    const isWhole = document.body.classList.toggle('actual');
    byId('fit').setAttribute('aria-pressed', String(isWhole));
  });
  byId('full').addEventListener('click', () => {
    void toggleFull().catch(() => onNotice('This browser does not allow a full screen.'));
  });
  document.addEventListener('fullscreenchange', () => {
    const isFull = document.fullscreenElement !== null;
    byId('full').setAttribute('aria-pressed', String(isFull));
  });
}

async function toggleFull(): Promise<void> {
  const keyboard = (navigator as Navigator & { readonly keyboard?: KeyboardLock }).keyboard;
  if (document.fullscreenElement) {
    keyboard?.unlock?.();
    return document.exitFullscreen();
  }
  await document.documentElement.requestFullscreen({ navigationUI: 'hide' });
  // So that Ctrl+W, Ctrl+T, Alt+Tab and the like go to the sandbox. Only some browsers can, and only in full screen.
  await keyboard?.lock?.().catch(() => undefined);
}
