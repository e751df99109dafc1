/** Texts that attributes of CIBs hold, sane and insane, by what the attribute is about; and names of settings. */
const list = (text: string): string[] => text.split('|');

const NUMBERS = [
  ...list('0|1|-1|2|3|10|100|1000|-1000|999999|1000000|1000001|-1000000|2147483647|2147483648|-2147483648|4294967296|9223372036854775807'),
  ...list('9223372036854775808|-9223372036854775809|1e400|-1e400|1e3|NaN|0x10|+5| 7|7 |1.5|٣|00000000000001|'),
  '9'.repeat(400),
];
const SCORES = list('INFINITY|-INFINITY|+INFINITY|infinity|--INFINITY|INFINITY1|red|green|yellow|-red');
const DATES = [
  ...list(
    '2026-01-01|2026-02-30|2024-02-29|0000-00-00|0000-01-01|9999-12-31|99999-01-01|-0001-01-01|2026-366|2024-366|2026-W53-7|2020-W53-7',
  ),
  ...list('2026-W00-1|2026-01-01T24:00:00|2026-01-01T25:00:00|2026-01-01 00:00:00 +23:59|2026-01-01T00:00:00-99:99|epoch|T12|12:00'),
  ...list('2026-01-01T00:00:00Z|20260101T000000Z|1970-01-01|2038-01-19T03:14:08Z|2026-13-01|tomorrow|'),
];
const DURATIONS = [
  ...list('10s|10|0|1ms|5min|2h|30 s|-10s|99999999999s|PT1M|P1Y|P99999999999Y|P1Y2M3W4DT5H6M7S|PT|P|P-1D|PT1.5S|P1D/|10x|1us'),
  ...list('4294967295ms|9223372036854775807s|1e3s|.5s|1.9s|never|'),
];
const BOOLEANS = list('true|false|yes|no|1|0|on|off|TRUE|y|n|maybe|');
const ROLES = list('Started|Stopped|Promoted|Unpromoted|Master|Slave|Unknown|started|migrated|');
const RC_CODES = list('0|1|2|3|4|5|6|7|8|9|124|189|190|191|192|193|194|255|256|-1|');
const STATUSES = list('-1|0|1|2|3|4|5|6|7|8|9|10|14|');
const TASKS = list(
  'start|stop|monitor|promote|demote|notify|migrate_to|migrate_from|reload|reload-agent|cancel|delete|meta-data|validate-all|asyncmon|stonith',
);
const MAGIC = list(
  '0:0;1:2:7:00000000-0000-0000-0000-000000000000|4:1;5:6:0:00000000-0000-0000-0000-000000000000|-1:193;1:2:0:x|0:7;1:2:7|0:0|;;;|:::|0:0;0:0:0:0:0' +
    '|2:1;999999999999:999999999999:999999999999:00000000-0000-0000-0000-000000000000|',
);
const VERSIONS = list('3.20.5|3.0.0|3.20.6|4.0|0|3|3.19|1.0|3.20.5.1|99999999999999999999.1|x|3..1|3.1.|');
const SCHEMAS = list(
  'none|pacemaker-0.6|pacemaker-1.0|pacemaker-1.1|pacemaker-1.3|pacemaker-2.0|pacemaker-2.10|pacemaker-3.0|pacemaker-3.10|pacemaker-4.0|pacemaker-next' +
    '|transitional-0.6|x|',
);
const RANGES = list('1|1-2|2-|-2|2-1|-|1-2-3|99999999999|53|366|0|');
const POLICIES = [
  ...list(
    'stop|freeze|ignore|demote|suicide|fence|block|restart|standby|restart-container|stop_start|stop_only|stop_unexpected|Optional|Mandatory',
  ),
  ...list(
    'Serialize|always|never|exclusive|group|listed|quorum|nothing|unfencing|fencing|poweroff|reboot|off|on|default|utilization|minimal',
  ),
  ...list('balanced|none|migrate-on-red|only-green|progressive|custom|reload-agent|member|down|pending|banned'),
];
const OPERATORS = list(
  'lt|gt|lte|gte|eq|ne|defined|not_defined|in_range|date_spec|and|or|string|integer|number|version|literal|param|meta|',
);
const PATTERNS = [
  ...['.*', '^(a|b)+$', '(a+)+$', '(.*)*(.*)*(.*)*x', '!.*', '[', '(', '*', 'a{2,1}', '(?=a)', '\\', '%1', '%9', '[[:alpha:]]+'],
  ...['a{1000}{1000}', '(([a-z0-9-]+)*)*!', '(r|rsc)*(.|..)*(.|..|...)*$x'],
];
const ADDRESSES = list('192.168.1.1|192.168.254.254|255.255.255.255|999.1.1.1|::1|1.2.3|0.0.0.0');

/** Words that name the wrong thing. */
export const STRANGE_NAMES = [
  ...list(' |x|a:0|a:-1|a:1:2|:|__proto__|constructor|toString|%|%s|日本|a b|a,b|.|..|/|\'|"&<>|#uname|#default|'),
  'x'.repeat(5000),
];

const POOLS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/score|stickiness|threshold|weight|priority|INFINITY/i, [...SCORES, ...NUMBERS]],
  [/^rc-code$|_rc$/, RC_CODES],
  [/^op-status$/, STATUSES],
  [/magic|transition-key/, MAGIC],
  [/^(crm_)?feature.set$|^version$/, VERSIONS],
  [/^validate-with$/, SCHEMAS],
  [/^(start|end)$|date/, DATES],
  [/^(years|months|monthdays|hours|minutes|seconds|yeardays|weekyears|weeks|weekdays|days)$/, [...RANGES, ...NUMBERS]],
  [/interval|timeout|delay|lifetime|recheck|lock-limit/, [...DURATIONS, ...NUMBERS]],
  [/role/, ROLES],
  [/^(operation|boolean-op|type|value-source)$/, [...OPERATORS, ...TASKS]],
  [/task|action|^name$|operation/, [...TASKS, ...STRANGE_NAMES]],
  [/max|min|limit|replicas|count|call-id|epoch|updates|time|run|change|index|votes/, NUMBERS],
  [/pattern/, PATTERNS],
  [/ip-range|address|netmask/, ADDRESSES],
  [/^(in_ccm|crmd|join|expected|standby|maintenance|unique|clone|ordered|interleave|notify|enabled|migrate)/, [...BOOLEANS, ...POLICIES]],
  [
    /managed|symmetric|sequential|require-all|influence|promotable|ordering|kind|policy|on-fail|requires|provides/,
    [...BOOLEANS, ...POLICIES],
  ],
];
const ANY = [...new Set([...POOLS.flatMap(([, pool]) => pool), ...DATES, ...DURATIONS])];

/** A value for an attribute of that name, usually one that is about the same thing. */
export function valueFor(name: string, pick: number): string {
  const pool = pick % 8 === 0 ? ANY : (POOLS.find(([pattern]) => pattern.test(name))?.[1] ?? ANY);
  return pool[Math.floor(pick / 8) % pool.length] ?? '';
}

/** Names of meta-attributes, options and parameters that the scheduler looks for. */
export const SETTINGS = [
  ...list(
    'target-role|is-managed|maintenance|resource-stickiness|migration-threshold|failure-timeout|multiple-active|allow-migrate|critical',
  ),
  ...list(
    'priority|requires|notify|clone-max|clone-node-max|clone-min|promotable|promoted-max|promoted-node-max|interleave|ordered|container',
  ),
  ...list(
    'globally-unique|remote-node|remote-addr|remote-allow-migrate|container-attribute-target|allow-unhealthy-nodes|collocated|on-fail',
  ),
  ...list('interval|timeout|start-delay|interval-origin|no-quorum-policy|fencing-enabled|stonith-enabled|stonith-action|stonith-timeout'),
  ...list('have-watchdog|symmetric-cluster|maintenance-mode|stop-all-resources|stop-removed-resources|stop-orphan-resources|batch-limit'),
  ...list('enable-startup-probes|placement-strategy|node-health-strategy|node-health-base|node-health-red|migration-limit|startup-fencing'),
  ...list(
    'concurrent-fencing|start-failure-is-fatal|shutdown-lock|shutdown-lock-limit|priority-fencing-delay|node-pending-timeout|standby',
  ),
  ...list(
    'cluster-delay|shutdown|terminate|#health-x|#kind|probe_complete|reconnect_interval|addr|cpu|provides|pcmk_host_list|promoted-max',
  ),
];
