/** Said in the page before anything of its own: what goes wrong is told to the frame around it. */
const listener = `<script>
addEventListener('error', (event) => {
  const { target, message } = event;
  const source = target?.src ?? target?.href;
  parent.pwpComplain(source ? 'can not load ' + source : String(message));
}, true);
addEventListener('unhandledrejection', (event) => parent.pwpComplain('unhandled: ' + String(event.reason)));
const said = console.error;
console.error = (...words) => { parent.pwpComplain(words.map(String).join(' ')); said(...words); };
</script>`;

/**
 * A page's text made fit for a frame without an address: what it names is found from its own folder.
 * @param base address of the folder, with a slash at its end
 */
export function preparedPage(html: string, base: string): string {
  const added = `<base href="${base.replaceAll('"', '%22')}">${listener}`;
  // What stands before its head must stay there: a page without its document type is laid out in another way.
  const before =
    /^[\s\S]*?<head(?:\s[^>]*)?>/i.exec(html) ??
    /^[\s\S]*?<html(?:\s[^>]*)?>/i.exec(html) ??
    /^\s*<!doctype[^>]*>/i.exec(html);
  const at = before?.[0].length ?? 0;
  return html.slice(0, at) + added + html.slice(at);
}
