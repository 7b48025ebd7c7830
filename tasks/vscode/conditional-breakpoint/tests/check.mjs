import { readFileSync } from 'node:fs';
import {
  AgentFiles,
  bytesEqual,
  conditionalBreakpoint,
  readIdeFacts,
  report,
} from '/opt/pwp/grade/checks.mjs';

// Far beyond what the program counts to: a range that only holds for its own values is another condition.
const counts = [...Array(30).keys(), 63, 64, 99, 100, 255, 256, 1000, 65_536, 1_000_000, 2_147_483_648];

await report([
  conditionalBreakpoint(await readIdeFacts(), {
    path: 'client.py',
    line: 45,
    condition: 'retry_count > 3',
    over: counts.map((count) => ({ retry_count: count })),
  }),
  await bytesEqual(new AgentFiles(), '/workspace/client.py', readFileSync('/tests/client.py')),
]);
