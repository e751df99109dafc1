import { baseEnvironment, type NodeEnvironment } from '../resource-agent/environment.js';
import { timestampText } from './timestamp.js';

/** What the program of an alert is told. */
export interface AlertNews {
  /** `CRM_alert_*`, but for the time and the number. */
  readonly variables: Readonly<Record<string, string>>;
  /** Further variables, by name. */
  readonly options: Readonly<Record<string, string>>;
  readonly timestampFormat: string;
  /** When it happened, epoch ms. */
  readonly atMs: number;
  /** What comes later on this node has a greater one. */
  readonly sequence: number;
}

/** What a variable can be called. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What decides which program runs, or what it loads, rather than what it is told: whoever configures alerts does not choose that. */
const NOT_GIVEN =
  /^(?:PATH|IFS|ENV|SHELLOPTS|BASHOPTS|PS4|CDPATH|GLOBIGNORE|HOSTALIASES|LOCALDOMAIN|TMPDIR|HOME|SHELL|GCONV_PATH|LD_|BASH_|PYTHON|PERL|RUBY|NODE_|GIT_|SSL_|SYSTOLE_|CRM_)/;

/** Names of options that can't be variables, or that no program is given. */
export function optionsNotGiven(options: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(options).filter((name) => !NAME.test(name) || NOT_GIVEN.test(name));
}

/** The complete environment of an alert's program (docs/spec/alerts.md). Every `CRM_alert_*` is there as `CRM_notify_*`, too: the name of old. */
export function alertEnvironment(news: AlertNews, node: NodeEnvironment): Record<string, string> {
  const { variables, options, timestampFormat, atMs, sequence } = news;
  const refused = new Set(optionsNotGiven(options));
  const given = Object.entries(options).filter(([name]) => !refused.has(name));
  const told = {
    ...Object.fromEntries(Object.entries(variables).filter(([name]) => NAME.test(name) && name.startsWith(PREFIX))),
    CRM_alert_node_sequence: String(sequence),
    CRM_alert_timestamp: timestampText(timestampFormat, atMs),
    CRM_alert_timestamp_epoch: String(Math.floor(atMs / 1_000)),
    CRM_alert_timestamp_usec: String((Math.floor(atMs) % 1_000) * 1_000),
  };
  const ofOld = Object.entries(told).map(([name, value]) => [`CRM_notify_${name.slice(PREFIX.length)}`, value] as const);
  return { ...baseEnvironment(node), ...Object.fromEntries(given), ...told, ...Object.fromEntries(ofOld) };
}

const PREFIX = 'CRM_alert_';
