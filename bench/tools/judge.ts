import { describeError, PwpError } from '../../bridge/lib/index.ts';
import { RpcError, toolErrorReason } from '../../bridge/protocol/index.ts';
import { toolErrorData } from '../../bridge/protocol/tools/tool-errors.ts';
import type { FailingCall, RightCall, ToolCase, WrongCall } from './case.ts';
import type { Desk } from './desk.ts';
import { differences, readState } from './state.ts';

/** The outcome of one call. */
export interface Verdict {
  readonly what: string;
  readonly kind: 'right' | 'wrong';
  /** The difference from the expected outcome; empty if there is no difference. */
  readonly faults: readonly string[];
  /** How a wrong call was refused. */
  readonly reason?: string;
  readonly shapeOnly?: string;
}

export interface Judged {
  readonly tool: string;
  readonly verdicts: readonly Verdict[];
  /** Milliseconds of its calls. */
  readonly ms: number;
}

/** Tries all of a case. Rejects only if the run is cancelled. */
export async function judge(desk: Desk, one: ToolCase): Promise<Judged> {
  desk.takeSpentMs();
  const verdicts: Verdict[] = [];
  for (const call of one.right) verdicts.push(await judgeRight(desk, one, call));
  for (const call of one.wrong) verdicts.push(await judgeWrong(desk, one, call));
  for (const call of one.failing ?? []) verdicts.push(await judgeFailing(desk, one, call));
  return { tool: one.tool.name, verdicts, ms: desk.takeSpentMs() };
}

async function judgeRight(desk: Desk, { tool }: ToolCase, call: RightCall): Promise<Verdict> {
  const { what, check, shapeOnly, first, last } = call;
  const looksOnly = tool.readOnly && tool.runsCode !== true;
  const faults = await faultsOf(desk, async () => {
    await first?.(desk);
    const before = looksOnly ? await readState(desk) : [];
    await check(desk);
    return looksOnly ? changed(before, await readState(desk)) : [];
  });
  const undone = last ? await faultsOf(desk, async () => (await last(desk), [])) : [];
  return {
    what,
    kind: 'right',
    faults: [...faults, ...undone],
    ...(shapeOnly !== undefined && { shapeOnly }),
  };
}

async function judgeWrong(desk: Desk, { tool }: ToolCase, call: WrongCall): Promise<Verdict> {
  const { what, given, first, last } = call;
  let reason = '';
  const faults = await faultsOf(desk, async () => {
    await first?.(desk);
    const asked = typeof given === 'function' ? await given(desk) : given;
    const before = await readState(desk);
    const refusal = await refusalOf(desk, tool, asked);
    reason = refusal.reason;
    const after = changed(before, await readState(desk));
    return [...refusalFaults(refusal, call), ...after];
  });
  const undone = last ? await faultsOf(desk, async () => (await last(desk), [])) : [];
  return { what, kind: 'wrong', reason, faults: [...faults, ...undone] };
}

async function judgeFailing(desk: Desk, { tool }: ToolCase, call: FailingCall): Promise<Verdict> {
  const { what, given, says, effect } = call;
  const faults = await faultsOf(desk, async () => {
    const answer = await desk.answer(tool, given);
    return [
      ...(says.test(answer.text) ? [] : [`says ${quoted(answer.text)}, not ${says}`]),
      ...(effect === undefined || answer.effect === effect
        ? []
        : [`its effect is ${answer.effect} (${quoted(answer.evidence)}), not ${effect}`]),
    ];
  });
  return { what, kind: 'wrong', reason: 'a result', faults };
}

/** How a call was refused. */
interface Refusal {
  readonly reason: string;
  readonly message: string;
  readonly help: string;
}

async function refusalOf(
  desk: Desk,
  tool: ToolCase['tool'],
  given: Readonly<Record<string, unknown>>,
): Promise<Refusal> {
  let answer;
  try {
    answer = await desk.answer(tool, given);
  } catch (error) {
    desk.signal.throwIfAborted();
    // If the schema refuses it, the message is zod's.
    if (error instanceof PwpError && error.code === 'bad-action')
      return { reason: 'schema', message: error.message, help: error.message };
    const data = error instanceof RpcError ? toolErrorData.safeParse(error.data).data : undefined;
    const message = describeError(error);
    return { reason: toolErrorReason(error) ?? 'no tool error', message, help: data?.help ?? '' };
  }
  throw new Error(`was carried out: ${answer.effect}: ${quoted(answer.text)}`);
}

function refusalFaults({ reason, message, help }: Refusal, call: WrongCall): string[] {
  return [
    ...(reason === call.reason ? [] : [`refused with ${reason}, not ${call.reason}: ${quoted(message)}`]),
    ...(call.names.test(message) ? [] : [`does not name ${call.names}: ${quoted(message)}`]),
    // An error about arguments says in its message what would fit.
    ...(help === '' && reason !== 'bad-arguments' ? [`does not say what to do: ${quoted(message)}`] : []),
  ];
}

function changed(before: readonly string[], after: readonly string[]): string[] {
  return differences(before, after)
    .slice(0, 5)
    .map((line) => `changed: ${line}`);
}

async function faultsOf(desk: Desk, work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work();
  } catch (error) {
    desk.signal.throwIfAborted();
    return [describeError(error)];
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 300));
}
