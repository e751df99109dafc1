/**
 * `npm run chaos -- [--minutes 10] [--seed N] [--lease 6000] [--only kill,freeze]`: Systole on real processes under fire. Needs root, iproute2,
 * nftables, redis-server and libfaketime. The same seed plays the same faults; what the processes do in between is never exactly the same.
 */
import { cp, mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { FAULT_KINDS } from './faults/plan.js';
import { renderOutcome } from './report.js';
import { runChaos } from './run-chaos.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    lease: { type: 'string', default: '6000' },
    only: { type: 'string' },
    logs: { type: 'string', default: 'chaos-logs' },
  },
});

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    console.log('ending after this round');
    interrupted.abort();
  });
}
const only = values.only?.split(',');
const unknown = only?.filter((kind) => !FAULT_KINDS.some((known) => known === kind)) ?? [];
if (unknown.length > 0) throw new Error(`no such fault: ${unknown.join(', ')}; there are ${FAULT_KINDS.join(', ')}`);

const outcome = await runChaos({
  seed: Number(values.seed),
  leaseMs: Number(values.lease),
  lengthMs: Number(values.minutes) * 60_000,
  kinds: FAULT_KINDS.filter((kind) => only?.includes(kind) ?? true),
  tell: (line) => {
    console.log(line);
  },
  signal: interrupted.signal,
  keep: async (logs) => {
    await mkdir(values.logs, { recursive: true });
    await cp(logs, `${values.logs}/${values.seed}`, { recursive: true });
    console.log(`the logs of the processes are in ${values.logs}/${values.seed}`);
  },
});
console.log(renderOutcome(outcome));
if (outcome.violations.length > 0) {
  console.log(
    `\nthe same faults again: npm run chaos -- --seed ${values.seed} --lease ${values.lease}${only === undefined ? '' : ` --only ${only.join()}`}`,
  );
}
process.exitCode = outcome.violations.length === 0 ? 0 : 1;
