/**
 * `npm run planted [-- --only ID …] [--list]`: plants each known fault in a copy of the repository and shows which test notices it. First every suite is run
 * without a fault: one that fails anyway would find all of its own, so none of them is planted then.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Checkout } from './checkout.js';
import type { PlantedFault, Suite } from './fault.js';
import { FAULTS } from './faults/index.js';
import { judge, type Verdict } from './judge.js';

// From test/dist/planted.
const root = fileURLToPath(new URL('../../../', import.meta.url));

function words(verdict: Verdict): string {
  switch (verdict.type) {
    case 'found':
      return `found by ${String(verdict.by.length)}: ${verdict.by[0] ?? ''}`;
    case 'not-found':
      return `NOT FOUND: ${String(verdict.passed)} tests passed`;
    case 'not-run':
      return `NOT RUN: ${verdict.reason}`;
  }
}

const NO_EVIDENCE: Verdict = { type: 'not-run', reason: 'its suite does not pass without it' };

/** Which of the suites pass without a fault. */
async function sound(checkout: Checkout, suites: readonly Suite[]): Promise<ReadonlySet<string>> {
  const passing = new Set<string>();
  for (const suite of suites) {
    const verdict = judge(await checkout.run(suite));
    if (verdict.type === 'not-found') passing.add(keyOf(suite));
    else console.log(`without a fault ${suite.file} does not pass: ${words(verdict)}`);
  }
  return passing;
}

function keyOf({ project, file }: Suite): string {
  return `${project} ${file}`;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, list: { type: 'boolean', default: false } } });
  const unknown = (values.only ?? []).filter((id) => !FAULTS.some((fault) => fault.id === id));
  if (unknown.length > 0) {
    console.log(`no fault is called ${unknown.join(', ')}; --list shows them`);
    return 1;
  }
  const faults = FAULTS.filter(({ id }) => values.only === undefined || values.only.includes(id));
  if (values.list) {
    for (const { id, what, file } of faults) console.log(`${id}: ${what} (${file})`);
    return 0;
  }
  console.log(`copying the repository; ${String(faults.length)} faults`);
  const checkout = await Checkout.copyOf(root);
  try {
    const suites = new Map(faults.map(({ foundBy }) => [keyOf(foundBy), foundBy]));
    const passing = await sound(checkout, [...suites.values()]);
    console.log(`${String(passing.size)} of ${String(suites.size)} suites pass without a fault`);
    const missed: PlantedFault[] = [];
    for (const fault of faults) {
      const begin = performance.now();
      const verdict = passing.has(keyOf(fault.foundBy))
        ? await checkout.with(fault, async () => judge(await checkout.run(fault.foundBy)))
        : NO_EVIDENCE;
      if (verdict.type !== 'found') missed.push(fault);
      console.log(`${fault.id} (${((performance.now() - begin) / 1000).toFixed(1)} s): ${words(verdict)}`);
    }
    console.log(`${String(faults.length - missed.length)} of ${String(faults.length)} planted faults found`);
    return missed.length === 0 ? 0 : 1;
  } finally {
    await checkout.remove();
  }
}

process.exitCode = await main();
