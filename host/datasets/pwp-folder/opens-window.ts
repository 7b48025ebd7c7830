/** A command that starts or moves windows, in a script's call; `code --list-extensions` is answered without one. */
const desktopCall =
  /\.(?:run_command|step)\(\s*\[?\s*[frbu]*['"]\s*(?:code\b(?!\s+--list-extensions)|wmctrl\b|xdotool\b|xrandr\b|scrot\b)/;

/**
 * Whether a function of an evaluation script needs a desktop, which nothing has where the tests run.
 * @param script Python
 * @param name of a function at its top
 */
export function opensWindow(script: string, name: string): boolean {
  const from = script.search(new RegExp(`^def ${name}\\(`, 'm'));
  if (from < 0) return false;
  const [own = ''] = script.slice(from + 1).split(/^(?:def|class|@)/m);
  return desktopCall.test(own);
}
