import type { PageOptions } from './page.ts';

/** The page that shows a screen and nothing else, and says when there is no more to come. */
export function screenPage({ name, token, nonce }: PageOptions): string {
  const secret = encodeURIComponent(token);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; }
  html, body { margin: 0; height: 100%; background: #e9e8e5; }
  @media (prefers-color-scheme: dark) { html, body { background: #16181d; } }
  img { width: 100%; height: 100%; object-fit: contain; display: block; }
  #over { position: fixed; inset: 0; display: grid; place-items: center; margin: 0; padding: 16px; background: rgb(16 16 17 / 78%); color: #f0efed; font: 20px/1.4 system-ui, "Liberation Sans", sans-serif; text-align: center; }
  #over[hidden] { display: none; }
</style>
<img src="/screen.mjpeg?token=${secret}" alt="The screen of ${name}, live">
<p id="over" role="status" hidden></p>
<script nonce="${nonce}">
  const say = (text) => {
    const over = document.getElementById('over');
    over.textContent = text;
    over.hidden = false;
  };
  fetch('/ended?token=${secret}').then(
    ({ ok }) => say(ok ? 'This sandbox has ended' : 'Not connected'),
    () => say('Not connected: the program that showed this screen has ended'),
  );
</script>
</html>
`;
}
