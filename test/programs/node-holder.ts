import { createLocalNode } from '../../host/node/index.ts';
import { disposeOnSignals } from '../../host/node/local/dispose-on-signals.ts';
import { bareImage, bareSpec } from '../support/node-sandbox.ts';

// Starts sandboxes, one for each word it is given (`keep` or `mine`), prints their ids and waits to be stopped.

const [home, ...kinds] = process.argv.slice(2);
if (home === undefined) throw new Error('usage: node-holder <cache folder> [keep|mine]...');
const node = await createLocalNode({ home, image: bareImage });
disposeOnSignals(node);
const ids: string[] = [];
for (const kind of kinds) ids.push((await node.start(bareSpec({ keep: kind === 'keep' }))).id);
console.log(JSON.stringify(ids));
process.stdin.resume();
