import { render } from 'lit-html';
import { byId } from '../dom.ts';
import { html } from '../parts/index.ts';
import { requestData } from './addresses.ts';
import { type BoardData, queueBoard } from './queue-board.ts';

/** Milliseconds between two looks. */
const lookMs = 3000;

function drawFrame(address: string): void {
  render(
    html`<main>
      <header class="masthead">
        <p class="brand"><a href="/${location.search}">Programming with Pixels</a></p>
        <h1>Queue</h1>
        <p class="quiet">${address}</p>
      </header>
      <p id="trouble" class="problem" role="alert" hidden></p>
      <div id="board"></div>
    </main>`,
    document.body,
  );
}

async function look(): Promise<void> {
  const trouble = byId('trouble');
  try {
    render(queueBoard(await requestData<BoardData>('queue')), byId('board'));
    trouble.hidden = true;
  } catch (error) {
    trouble.textContent = error instanceof Error ? error.message : String(error);
    trouble.hidden = false;
  }
}

drawFrame(document.title);
setInterval(() => {
  if (!document.hidden) void look();
}, lookMs);
void look();
