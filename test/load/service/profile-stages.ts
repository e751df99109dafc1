/** What an action passes through in the server, and by what files and packages it is known; the first that fits counts. */
const STAGES: readonly (readonly [stage: string, pattern: RegExp])[] = [
  [
    'delivered: polls and what they are answered',
    /^\/libs\/control-plane\/sessions\/(agent-poll|delivery|dispatch|lost-answers|witnesses|silences)/,
  ],
  ['handed out: dispatches and graphs stored', /^\/libs\/control-plane-postgres\/(dispatches|transitions)\//],
  ['planned: scheduling', /^(\/libs\/(scheduler|cib|simulator)\/|\/apps\/worker\/scheduling\/)/],
  ['decided: commands', /^(\/libs\/cluster\/commands\/|\/libs\/control-plane\/commands\/)/],
  ['stepped: fold, engine and turns', /^(\/libs\/(cluster|read-models)\/|\/libs\/control-plane\/(turns|leases|time|epochs)\/)/],
  ['stored: events and leases', /^(\/libs\/event-store\/|\/libs\/control-plane-postgres\/|@noble)/],
  [
    'woken: queue and signals',
    /^(\/libs\/queue\/|\/libs\/control-plane\/(worker|requests)\/|\/apps\/worker\/|bullmq|ioredis|msgpackr|cron)/,
  ],
  [
    'received: HTTP, access, protocol',
    /^(\/apps\/api\/|\/libs\/(access|protocol|control-plane\/sessions)|express|router|body-parser|pino|@nestjs|rxjs|zod|prom-client|send|raw-body)/,
  ],
  ['the database’s client', /^pg/],
  ['collection of memory', /^\(garbage collector\)$/],
];
const REST = 'Node.js itself, and the rest';

/** @param module file of ours (from the root of the checkout), package, or what the engine says that it does */
export function stageOf(module: string): string {
  return STAGES.find(([, pattern]) => pattern.test(module))?.[0] ?? REST;
}
