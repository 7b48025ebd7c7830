import { silentProgress } from '../../../../host/lib/index.ts';
import { ensureLayer } from '../../../../host/node/image/layer-build.ts';
import { LayerStore } from '../../../../host/node/image/layer-store.ts';
import { stuckRecipe } from '../recipes.ts';

// `node build-stuck.ts <home> <started>`: a build that lasts until it is killed.

const [home = '', started = ''] = process.argv.slice(2);
const signal = new AbortController().signal;
await ensureLayer(new LayerStore(home), stuckRecipe(started), { progress: silentProgress, signal });
