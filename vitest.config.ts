import { fileURLToPath } from 'node:url';
import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('.', import.meta.url));
const alias = [
  { find: '@systole/migrations', replacement: `${root}migrations/src/index.ts` },
  { find: '@systole/control-plane/memory', replacement: `${root}libs/control-plane/src/memory/index.ts` },
  { find: '@systole/control-plane/testing', replacement: `${root}libs/control-plane/src/testing/port-suite.ts` },
  { find: '@systole/certificates/testing', replacement: `${root}libs/certificates/src/testing/certificate-authority.ts` },
  { find: '@systole/ocf/testing', replacement: `${root}libs/ocf/src/testing/real-systemd.ts` },
  { find: '@systole/event-store/testing', replacement: `${root}libs/event-store/src/testing/index.ts` },
  { find: '@systole/scheduler/scenarios', replacement: `${root}libs/scheduler/src/scenarios/scenario-cib.ts` },
  { find: '@systole/protocol/printable', replacement: `${root}libs/protocol/src/printable.ts` },
  { find: '@systole/tracing/testing', replacement: `${root}libs/tracing/src/testing/collector.ts` },
  { find: '@systole/read-models/idle-memory', replacement: `${root}libs/read-models/src/idle-memory.ts` },
  { find: '@systole/threads/inside', replacement: `${root}libs/threads/src/serve-thread.ts` },
  { find: '@systole/cli/crm-simulate', replacement: `${root}apps/cli/src/crm-simulate/run-program.ts` },
  {
    find: /^@systole\/(cib|scheduler|simulator|cluster|event-store|access|certificates|read-models|webhooks|control-plane|control-plane-postgres|queue|ocf|protocol|program-log|settings|threads|tracing|node-session|api-client)$/,
    replacement: `${root}libs/$1/src/index.ts`,
  },
];
/** Nest needs the decorator metadata that esbuild does not emit. */
const plugins = [swc.vite({ module: { type: 'es6' } })];

/**
 * Tests with real servers and processes, and those that measure what something costs, have deadlines that a machine under foreign load can miss. In CI a test gets two more chances, which the
 * summary names; on a developer's machine it gets none, so that what is flaky is found.
 */
const isCI = process.env['CI'] === 'true';
const retry = isCI ? 2 : 0;
/** Machines that run CI differ by four in speed. Only what hangs takes so long. */
const patience = isCI ? 2 : 1;

/** Small files that run for long. Vitest begins the largest files first as long as it knows no durations, which is always so in a clean checkout: these came last, one after the other, with the machine idle. */
const LONGEST = [
  'test/conformance/fuzz/extremes.spec.ts',
  'test/simulation/simulation.spec.ts',
  'test/conformance/fuzz/fuzz.spec.ts',
  'test/simulation/plots.spec.ts',
  'apps/worker/src/worker.postgresql.int.spec.ts',
  'apps/worker/src/worker.redis.int.spec.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** What is compiled is loaded by Node.js itself, instead of being transformed once more for each file. */
const asCompiled = { server: { deps: { external: [/\/dist\/.*\.js$/] } } };

const endToEnd = {
  ...asCompiled,
  setupFiles: ['test/contract/check-answers.setup.ts'],
  testTimeout: 180_000,
  hookTimeout: 180_000,
  globalSetup: ['test/servers/global-setup.ts', 'test/servers/packages.ts'],
};

/** One file at a time, once the others are done: each has the machine to itself. */
const oneAtATime = { poolOptions: { forks: { singleFork: true } } };

/** What measures how long something is held up, or what loads the machine so that others would be late. */
const ALONE = [
  '{libs,apps}/**/src/**/*.alone.spec.ts',
  'test/e2e/viewers.e2e.spec.ts',
  'test/e2e/noise.e2e.spec.ts',
  'test/chaos/chaos.e2e.spec.ts',
];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Integration tests mostly wait (for leases, timers, locks), so that more of them than processors run at a time. Files share processes: loading everything anew for each of them took three
    // quarters of the time of unit tests. What replaces a module loads what it tests itself (`vi.resetModules`). As many at least as at most: the pool ends idle processes twice otherwise.
    poolOptions: { forks: { minForks: 3, maxForks: 3, isolate: false } },
    projects: [
      {
        plugins,
        resolve: { alias },
        test: {
          name: 'unit',
          retry,
          testTimeout: 30_000 * patience,
          include: [
            '{libs,apps,migrations,bin}/**/src/**/*.unit.spec.ts',
            'docs/site/**/*.unit.spec.ts',
            'test/chaos/**/*.unit.spec.ts',
            'test/simulation/**/*.spec.ts',
            'test/citations/**/*.spec.ts',
            'test/conformance/**/*.spec.ts',
            'test/contract/**/*.unit.spec.ts',
            'test/kubernetes/**/*.spec.ts',
            'test/planted/**/*.spec.ts',
            'test/upgrade/**/*.unit.spec.ts',
          ],
          setupFiles: ['test/property-tests.setup.ts', 'test/turns.setup.ts'],
        },
      },
      {
        plugins,
        // CI has built what it tests; for a developer, what was changed last counts.
        resolve: { alias: isCI ? [] : alias },
        test: {
          name: 'integration',
          ...(isCI ? asCompiled : {}),
          retry,
          include: ['{libs,apps,migrations,bin}/**/src/**/*.int.spec.ts'],
          setupFiles: ['test/property-tests.setup.ts', 'test/turns.setup.ts', 'test/contract/check-answers.setup.ts'],
          testTimeout: 60_000 * patience,
          hookTimeout: 60_000 * patience,
          expect: { poll: { timeout: 10_000 * patience, interval: 20 } },
          globalSetup: ['test/servers/global-setup.ts', ...(isCI ? ['test/servers/packages.ts'] : [])],
        },
      },
      {
        plugins,
        test: {
          name: 'e2e',
          retry,
          include: ['test/{chaos,contract,e2e}/**/*.e2e.spec.ts', 'test/workloads/redis.workload.spec.ts'],
          exclude: ALONE,
          ...endToEnd,
        },
      },
      {
        plugins,
        resolve: { alias },
        test: {
          name: 'alone',
          retry,
          include: ALONE,
          ...endToEnd,
          ...oneAtATime,
        },
      },
      {
        plugins,
        resolve: { alias },
        test: {
          // Updates compile the last release, for which the history has to be there.
          name: 'upgrade',
          include: ['test/upgrade/*.e2e.spec.ts'],
          ...endToEnd,
        },
      },
      {
        plugins,
        resolve: { alias },
        test: {
          name: 'workloads',
          // Each brings its own server with the PostgreSQL of `npm start`.
          include: ['test/workloads/**/*.workload.spec.ts'],
          setupFiles: ['test/contract/check-answers.setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          poolOptions: { forks: { singleFork: true } },
        },
      },
    ],
  },
});
