/**
 * What the tab holds: a frame, so that VS Code's own styles for such tabs don't reach the page that is shown. It is told
 * what to show, and answers when that is on the screen.
 */
export const frameHtml = `<!doctype html><html><head><meta charset="utf-8"><style>
html, body { margin: 0 !important; padding: 0 !important; height: 100%; overflow: hidden }
iframe { border: 0; width: 100%; height: 100%; background: #fff; display: block }
</style></head><body><iframe title="Preview" sandbox="allow-scripts allow-same-origin allow-forms"></iframe><script>
const host = acquireVsCodeApi();
const frame = document.querySelector('iframe');
let complaints = [];
let number = 0;
window.pwpComplain = (text) => { if (complaints.length < 50) complaints.push(text.slice(0, 2000)) };

const figuresHtml = (list) => '<!doctype html><title>Figures</title><style>body { margin: 16px; font: 13px sans-serif }' +
  'figure { margin: 0 0 16px } img { max-width: 100%; border: 1px solid #ddd }</style>' +
  list.map(({ title, source }) => '<figure><img src="' + source + '"><figcaption></figcaption></figure>').join('');

// Twice: once laid out, once drawn.
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
let drawing = Promise.resolve();

async function answer(given) {
  const page = frame.contentDocument;
  const root = page.documentElement;
  root.style.zoom = '';
  const { scrollWidth: width, scrollHeight: height } = root;
  root.style.zoom = String(given.zoom / 100);
  await drawn();
  host.postMessage({ number: given.number, title: page.title, width, height, errors: complaints });
}

function show(given) {
  complaints = [];
  number = given.number;
  const loaded = new Promise((done) => frame.addEventListener('load', done, { once: true }));
  const html = given.kind === 'page' ? given.content : figuresHtml(JSON.parse(given.content));
  // Not srcdoc: what such a page asks for does not go through the worker that has the workspace's files.
  const address = URL.createObjectURL(new Blob([html], { type: 'text/html;charset=utf-8' }));
  frame.src = address;
  return loaded.then(() => {
    URL.revokeObjectURL(address);
    if (given.kind === 'figures') {
      const captions = frame.contentDocument.querySelectorAll('figcaption');
      JSON.parse(given.content).forEach(({ title }, at) => { captions[at].textContent = title });
    }
    // A newer one is on its way.
    if (number === given.number) return answer(given);
  });
}

addEventListener('message', ({ data }) => {
  if (data.content === undefined) answer(data);
  else show(data);
});
host.postMessage({ ready: true });
</script></body></html>`;
