import type { Command } from 'commander';
import { Session } from '../../env/index.ts';
import { stopAndForget } from '../changes.ts';
import { withNodeOf } from '../context.ts';
import { print } from '../output.ts';

interface Json {
  readonly json?: true;
}

export function addRelease(program: Command): void {
  program
    .command('release')
    .description('release all keys and mouse buttons that are held down in a running sandbox')
    .argument('<sandbox>', 'id of a running sandbox')
    .option('--json', 'print as JSON')
    .action((id: string, { json = false }: { json?: boolean }) =>
      withNodeOf(id, async ({ node, signal }) => {
        await using sandbox = await node.open(id, { signal });
        using session = new Session(sandbox);
        await session.release({ signal });
        if (json) print({ id }, true, String);
      }),
    );
}

export function addDown(program: Command): void {
  program
    .command('down')
    .description('stop running sandboxes and remove everything they left')
    .argument('<sandbox...>', 'ids of running sandboxes')
    .option('--json', 'print as JSON')
    .action(down);
}

async function down(ids: string[], { json }: Json): Promise<void> {
  for (const id of ids) await withNodeOf(id, ({ node }) => stopAndForget(node, id));
  if (json)
    print(
      ids.map((id) => ({ id })),
      true,
      String,
    );
}
