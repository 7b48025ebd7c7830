/** The viewer's script; without it, all steps are listed below each other. Plain JavaScript for the browser. */
export const viewerScript = `'use strict';
(() => {
  const find = (query) => document.querySelector(query);
  const steps = [...document.querySelectorAll('.step')];
  const links = [...document.querySelectorAll('.strip a')];
  if (steps.length === 0) return;
  const strip = find('.strip');
  const failing = find('#only-failing');
  const full = find('#full');
  const scroller = find('#full .scroller');
  const count = document.querySelectorAll('.step[id^="step-"]').length;
  let current = 0;

  const isShown = (index) => !failing.checked || steps[index].hasAttribute('data-failing');

  function show(index) {
    current = index;
    steps.forEach((step, at) => { step.hidden = at !== index; });
    links.forEach((link, at) => {
      if (at === index) link.setAttribute('aria-current', 'step');
      else link.removeAttribute('aria-current');
    });
    const link = links[index];
    strip.scrollTo({ left: link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2 });
    find('#status').textContent = steps[index].querySelector('h3').textContent + ' of ' + (count - 1);
    if (full.open) fill();
  }

  // Not on load: a page that is opened without a fragment must start at its top.
  function visit(index) {
    show(index);
    history.replaceState(null, '', '#' + steps[index].id);
  }

  function move(from, by) {
    for (let at = from; at >= 0 && at < steps.length; at += by) if (isShown(at)) return visit(at);
  }

  function filter() {
    links.forEach((link, at) => { link.parentElement.hidden = !isShown(at); });
    if (!isShown(current)) visit(steps.findIndex((_, at) => isShown(at)));
  }

  function toggle(box) {
    if (box.disabled) return;
    box.checked = !box.checked;
    box.dispatchEvent(new Event('change'));
  }

  function fill() {
    scroller.replaceChildren(steps[current].querySelector('.picture').cloneNode(true));
  }

  function openFull() {
    full.showModal();
    fill();
  }

  const keys = {
    ArrowLeft: () => move(current - 1, -1),
    ArrowRight: () => move(current + 1, 1),
    Home: () => move(0, 1),
    End: () => move(steps.length - 1, -1),
    m: () => toggle(find('#show-marks')),
    c: () => toggle(find('#show-changed')),
    f: () => toggle(failing),
  };

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('pre')) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
  links.forEach((link, at) => link.addEventListener('click', (event) => {
    event.preventDefault();
    visit(at);
  }));
  steps.forEach((step) => step.querySelector('.open').addEventListener('click', openFull));
  find('#full .close').addEventListener('click', () => full.close());
  full.addEventListener('click', (event) => { if (event.target === full) full.close(); });
  failing.addEventListener('change', filter);
  addEventListener('hashchange', () => showHash(current));

  function showHash(otherwise) {
    const index = steps.findIndex((step) => '#' + step.id === location.hash);
    show(index === -1 ? otherwise : index);
  }

  document.documentElement.classList.add('viewer');
  showHash(0);
})();
`;
