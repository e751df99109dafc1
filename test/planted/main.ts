/**
 * `npm run planted [-- --only ID …] [--list]`: plants each known fault in a copy of the repository and shows which test notices it. First every suite has to
 * pass without a fault: one that fails anyway would find all of them.
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

async function allPass(checkout: Checkout, suites: readonly Suite[]): Promise<boolean> {
  let sound = true;
  for (const suite of suites) {
    const verdict = judge(await checkout.run(suite));
    if (verdict.type === 'not-found') continue;
    sound = false;
    console.log(`without a fault ${suite.file} does not pass: ${words(verdict)}`);
  }
  return sound;
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
    const suites = new Map(faults.map(({ foundBy }) => [`${foundBy.project} ${foundBy.file}`, foundBy]));
    if (!(await allPass(checkout, [...suites.values()]))) return 1;
    console.log(`${String(suites.size)} suites pass without a fault`);
    const missed: PlantedFault[] = [];
    for (const fault of faults) {
      const begin = performance.now();
      const verdict = await checkout.with(fault, async () => judge(await checkout.run(fault.foundBy)));
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
