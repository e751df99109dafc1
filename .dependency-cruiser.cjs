/** The dependency rules of the house: arrows point one way, with no list of exceptions. */
const lib = (name) => `^libs/${name}/`;
const only = (name, allowed) => ({
  name: `${name}-depends-only-on`,
  comment: `libs/${name} may import ${allowed.length === 0 ? 'no other lib' : allowed.join(', ')}`,
  severity: 'error',
  from: { path: lib(name) },
  to: { path: '^(libs|apps|migrations)/', pathNot: [name, ...allowed].map(lib) },
});
/** The scheduler's folders, each above those that it may import from. */
const SCHEDULER = ['model', 'operations', 'requests', '(input|placement)', 'ordering', 'actions', 'graph'];
const above = (layer) => ({
  name: `scheduler-${layer}-looks-down`,
  comment: `the scheduler's ${layer} may import only what is below it: ${SCHEDULER.join(' < ')}`,
  severity: 'error',
  from: { path: `^libs/scheduler/src/${layer}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: SCHEDULER.slice(SCHEDULER.indexOf(layer) + 1).map((higher) => `^libs/scheduler/src/${higher}/`) },
});
/** The parts of the scheduler's resource, with the folders of the phase that alone writes each. */
const PARTS = {
  defining: 'input/(?!status/)',
  observing: 'input/status/',
  placing: 'placement/',
  planning: '(operations|requests|ordering|actions|graph)/',
};
const writtenBy = ([writer, folders]) => ({
  name: `scheduler-resource-${writer}`,
  comment: `a resource's part is written by its phase alone: ${writer} is for ${folders}`,
  severity: 'error',
  from: { path: '^libs/', pathNot: [`^libs/scheduler/src/${folders}`, '\\.spec\\.ts$'] },
  to: { path: `^libs/scheduler/src/model/resource/${writer}\\.ts$` },
});
/** The api's folders that its features rest on, each above those that it may import from. */
const API = ['reads', '(front|metadata|scheduling)', 'status', 'writes'];
/** Of what every request goes through, and of the program; all others are features. */
const API_BASE = [
  'access',
  'computing',
  'findings',
  'http',
  'idempotency',
  'lifecycle',
  'metrics',
  'openapi',
  'testing',
  'tls',
  'tracing',
  'watches',
];
const api = (folders) => `^apps/api/src/${folders}/`;
const API_FEATURES = api(`(?!(${[...API, ...API_BASE].join('|')})/)[^/]+`);
const apiLooksDown = (layer, place) => ({
  name: `api-${layer}-looks-down`,
  comment: `the api's ${layer} may import only what is below it: ${API.join(' < ')} < the features`,
  severity: 'error',
  from: { path: api(layer), pathNot: '\\.spec\\.ts$' },
  to: { path: [...API.slice(place + 1).map(api), API_FEATURES] },
});
const PURE = '^libs/(cib|scheduler|simulator|cluster|protocol|control-plane|node-session)/src/';

module.exports = {
  forbidden: [
    only('cib', []),
    only('scheduler', ['cib']),
    only('simulator', ['scheduler', 'cib']),
    only('cluster', ['scheduler', 'cib']),
    only('event-store', []),
    only('access', ['event-store']),
    only('certificates', []),
    only('program-log', []),
    // Which name was mistyped.
    only('settings', ['cib']),
    only('queue', []),
    only('ocf', []),
    only('protocol', []),
    only('node-session', ['protocol']),
    only('api-client', []),
    // Whose turn it is, and the loop that is not to be held up.
    only('threads', ['cib', 'access', 'read-models']),
    // What a span is: types.
    only('tracing', ['control-plane']),
    only('read-models', ['cluster', 'event-store']),
    // Certificates for the receivers of its tests.
    only('webhooks', ['cluster', 'event-store', 'access', 'read-models', 'certificates']),
    only('control-plane', ['cluster', 'protocol']),
    only('control-plane-postgres', ['control-plane', 'cluster', 'protocol', 'event-store', 'access', 'read-models']),
    {
      name: 'apps-never-import-apps',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'pure-libs-do-no-io',
      comment: 'no I/O, clock, randomness or framework in the pure libraries (their tests may read files)',
      severity: 'error',
      from: { path: PURE, pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-libs-use-no-framework',
      severity: 'error',
      from: { path: PURE, pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/', pathNot: 'node_modules/(saxes|@noble/hashes|re2js|zod)/' },
    },
    ...SCHEDULER.slice(0, -1).map(above),
    ...Object.entries(PARTS).map(writtenBy),
    {
      name: 'scheduler-resource-record',
      comment: 'the class of resources has everything to be written: it is known where they are made, and where their parts are opened',
      severity: 'error',
      from: {
        path: '^libs/',
        pathNot: ['^libs/scheduler/src/(model/resource/|model/resource\\.ts$|input/resources\\.ts$)', '\\.spec\\.ts$'],
      },
      to: { path: '^libs/scheduler/src/model/resource/(record|plan|placement|observed|definition|handed-on)\\.ts$' },
    },
    {
      name: 'scheduler-cluster-opened',
      comment: 'what left the scheduler is written again by its entries alone, which hand it to the phases',
      severity: 'error',
      from: { path: '^libs/', pathNot: ['^libs/scheduler/src/(run|configured-locations|kept-by-location)\\.ts$', '\\.spec\\.ts$'] },
      to: { path: '^libs/scheduler/src/model/opened\\.ts$' },
    },
    {
      name: 'scheduler-explains-outcomes',
      comment: 'explanations and projections read what left the scheduler, as everybody outside does',
      severity: 'error',
      from: { path: '^libs/scheduler/src/(explain/|project-run\\.ts$)', pathNot: '\\.spec\\.ts$' },
      to: { path: '^libs/scheduler/src/model/(action|action-index|candidates|node|relation|resource)\\.ts$' },
    },
    {
      name: 'scheduler-input-and-placement-apart',
      comment: 'what is read and where it is placed meet in the model',
      severity: 'error',
      from: { path: '^libs/scheduler/src/(input|placement)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^libs/scheduler/src/(input|placement)/', pathNot: '^libs/scheduler/src/$1/' },
    },
    ...API.map(apiLooksDown),
    {
      name: 'api-modules-declare-their-own',
      comment: "a feature's module has controllers and providers of its own folder, and of others their modules alone",
      severity: 'error',
      from: { path: '^apps/api/src/([^/]+)/[^/]+\\.module\\.ts$' },
      to: { path: '^apps/api/src/', pathNot: ['^apps/api/src/$1/', '\\.module\\.ts$'] },
    },
    {
      name: 'api-modules-are-for-modules',
      comment: "a feature's module is imported by modules only",
      severity: 'error',
      from: { path: '^apps/api/src/', pathNot: '\\.module\\.ts$' },
      to: { path: '^apps/api/src/[^/]+/[^/]+\\.module\\.ts$' },
    },
    {
      name: 'api-controllers-stay-at-home',
      comment: 'what two features need is in no controller',
      severity: 'error',
      from: { path: '^apps/api/src/([^/]+)/' },
      to: { path: '^apps/api/src/[^/]+/[^/]+\\.controllers?\\.ts$', pathNot: '^apps/api/src/$1/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|\\.d\\.ts$)' },
    tsConfig: { fileName: 'tsconfig.depcruise.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default', 'types'], mainFields: ['main', 'types'] },
  },
};
