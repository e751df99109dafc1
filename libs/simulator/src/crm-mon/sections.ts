/** What the text of a status can consist of. */
export const MONITOR_SECTIONS = [
  ...(['stack', 'dc', 'times', 'counts', 'options', 'maint-mode', 'nodes', 'resources', 'attributes', 'failcounts', 'operations'] as const),
  ...(['failures', 'fencing-failed', 'fencing-pending', 'fencing-succeeded', 'tickets', 'bans'] as const),
];

export type MonitorSection = (typeof MONITOR_SECTIONS)[number];

const SUMMARY: readonly MonitorSection[] = ['stack', 'dc', 'times', 'counts'];
const FENCING: readonly MonitorSection[] = ['fencing-failed', 'fencing-pending', 'fencing-succeeded'];

/** What is shown unless something else is asked for. */
export const DEFAULT_SECTIONS: readonly MonitorSection[] = [
  ...SUMMARY,
  ...(['maint-mode', 'nodes', 'resources', 'failures', 'fencing-failed', 'fencing-pending'] as const),
];

const GROUPS: ReadonlyMap<string, readonly MonitorSection[]> = new Map([
  ['all', MONITOR_SECTIONS],
  ['default', DEFAULT_SECTIONS],
  ['defaults', DEFAULT_SECTIONS],
  ['none', []],
  ['summary', [...SUMMARY, 'options', 'maint-mode']],
  ['fencing', FENCING],
]);

/** What one word of `--include` and `--exclude` stands for; undefined for a word that stands for nothing. */
export function sectionsNamed(word: string): readonly MonitorSection[] | undefined {
  const section = MONITOR_SECTIONS.find((one) => one === word);
  return GROUPS.get(word) ?? (section === undefined ? undefined : [section]);
}
