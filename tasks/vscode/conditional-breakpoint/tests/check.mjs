import { readFileSync } from 'node:fs';
import {
  AgentFiles,
  bytesEqual,
  conditionalBreakpoint,
  readIdeFacts,
  report,
} from '/opt/pwp/grade/checks.mjs';

await report([
  conditionalBreakpoint(await readIdeFacts(), {
    path: 'client.py',
    line: 45,
    condition: 'retry_count > 3',
    over: [0, 1, 2, 3, 4, 5, 6].map((count) => ({ retry_count: count })),
  }),
  await bytesEqual(new AgentFiles(), '/workspace/client.py', readFileSync('/tests/client.py')),
]);
