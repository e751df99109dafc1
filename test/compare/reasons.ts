/**
 * Why Systole answers another thing than Pacemaker 2.1.5 did: the first that a command fits is its reason. What no pattern fits may not differ.
 */
export const REASONS: readonly (readonly [RegExp, string])[] = [
  [/--output-as|^crm_mon -1 -X/, 'Answers are text, but of `crm_mon`, whose XML has what the cluster knows in an order of its own.'],
  [/^crm_mon/, 'Pacemaker begins each answer with a line about its daemons; here is none, and unknown operands and formats are refused.'],
  [/^crm_resource( --list| -L)?$/, '`crm_resource --list` also names the node.'],
  [/^crm_resource .*(-O|-o)\b/, 'Probes and calls are counted per node in the order in which they were asked for here.'],
  [
    /^crm_resource (--locate|-W)|^crm_resource --why/,
    'Nodes are listed by name, and instances are numbered by node; what does not run is said on standard output.',
  ],
  [/^crm_resource .*(-g|-G) /, 'What is not set ends with 105, as it is documented; 2.1.5 ended with 0.'],
  [/^crm_resource .*(-a|--stack)\b/, 'Constraints of the resource itself are listed, not those of what it is colocated with.'],
  [/^crm_resource .*(-w|-q)\b/, 'Groups are shown as `crm_mon` shows them; what was deleted is known until its history is gone.'],
  [/^crm_resource --list-standards/, 'systemd is listed: an agent finds out by itself whether it runs.'],
  [
    /^crm_resource (--digests|--validate|--fail|-F)/,
    'Not done: digests are the servers’ own, agents are tried by `systole-agent test`, a failure is what an agent reports.',
  ],
  [/^crm_resource .*(--recursive|--force$|--clear .*--promoted)/, 'Refused: it would be another command.'],
  [
    /^crm_resource .*-(p|d) /,
    'A value is written where the first set of the resource is, not into a further set; it is always told into which.',
  ],
  [/^crm_resource .*-S |^crm_resource -D/, 'A missing resource type is a wrong command line: 64, not 105.'],
  [
    /^crm_resource .*(--ban|--move)/,
    'A warning in words of our own, on standard error; moving a resource to where it is about to be is not refused.',
  ],
  [
    /^crm_resource --restart/,
    'The `target-role` is left as it is: the resource is stopped by a rule that ends by itself. It is restarted everywhere, not on one node.',
  ],
  [
    /^crm_resource .*(-C|--cleanup|-R|-P)\b/,
    'A line for each node and what was named, nothing of replies, since nobody is waited for; a filter that says nothing is refused.',
  ],
  [/^crm_resource .*--force-/, 'Of a clone the instance is tried that may run here.'],
  [/^crm_failcount/, 'An unknown node ends with 105, and counts are those of failures that agents reported.'],
  [/^crm_attribute( -G)?$/, 'A name or a pattern is needed.'],
  [
    /^crm_attribute .*(count\b.*-q|-t tickets|-i my-id|-n my_option|-l nonsense)/,
    'Counting up works for permanent attributes, too; tickets are changed by `crm_ticket`; values are found by name and set, not by id.',
  ],
  [/^crm_attribute .*-D\b/, 'What was deleted of a node is not told.'],
  [/^crm_attribute -p state/, 'As 3.0 has it, the name of the resource is joined to the option: `-pstate`, `--promotion=state`.'],
  [/crm_master/, 'Promotion scores are of the status, and it is said so.'],
  [
    /^attrd_updater/,
    'As 3.0 has it: `--pattern` and `--wait` are known, what was deleted is not there, and a query is about one node unless all are asked for.',
  ],
  [/^crm_standby/, 'The agent of a node sets `standby` for its own node only; for others an operator does.'],
  [/^crm_ticket/, 'Warnings are in words of our own.'],
  [/^crm_node .*-R|^stonith_admin -C/, 'A node that there is not is refused: 105.'],
  [/^crm_node -n -i/, 'Of two commands the first counts.'],
  [/^crmadmin/, 'The servers coordinate the cluster, no node does.'],
  [/^crm_verify|^crm_diff -o/, 'What can’t be read is told apart from what is no XML.'],
  [/^crm_error/, 'The codes that the system of this machine has are listed.'],
  [/^crm_diff/, 'Patches are of format 2 always, and may tell the same change by another move.'],
  [/^cibadmin -Q -o nodes/, 'Nodes have what was set in the course of this comparison.'],
  [
    /^cibadmin .*(-5|-6|--md5-sum)|^cibadmin (-B|-E|-u|--upgrade|-S|-w|--master|--slave|-a)|\| cibadmin (-5|--md5)/,
    'Versions, digests and the schema are the servers’: refused.',
  ],
  [/^cibadmin .*(-U|-I|--score)/, 'Refused: it would be another command.'],
  [/^cibadmin -Q/, 'What is not there ends with 105; XPaths that are not understood with 3; only elements are answered.'],
  [/^cibadmin (-C|-M|--modify|-R|-D)/, 'A refused change prints the reason, not the whole CIB, and a score that is no number is refused.'],
  [/^stonith_admin .*(-M)\b/, 'Meta-data are as the fence agent prints them.'],
  [/^stonith_admin -Q/, 'A configured device is there, whether it answers or not.'],
  [
    /^stonith_admin/,
    'Not done by this tool: fencing is asked for and shown by `systole fencing`, devices and levels are in the configuration.',
  ],
  [/^iso8601/, 'Of a wrong command line is said what is wrong.'],
];

/** Why a command may end otherwise here; undefined: it may not. */
export function reasonFor(command: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(command.replace(/^[A-Z_]+=\S+ /, '')))?.[1];
}
