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

/** What decides which program runs, or what it loads, rather than what it is told: whoever configures alerts does not choose that. For shells and what they call, and for what programs of alerts are written in. */
const NOT_GIVEN: ReadonlySet<string> = new Set([
  ...['PATH', 'IFS', 'ENV', 'SHELL', 'SHELLOPTS', 'BASHOPTS', 'PS4', 'CDPATH', 'FPATH', 'ZDOTDIR', 'GLOBIGNORE', 'HOME', 'TMPDIR'],
  ...['HOSTALIASES', 'LOCALDOMAIN', 'RES_OPTIONS', 'GCONV_PATH', 'GLIBC_TUNABLES', 'LOCPATH', 'NLSPATH'],
  ...['EDITOR', 'VISUAL', 'PAGER', 'BROWSER', 'LESSOPEN', 'MAILRC', 'SNMPCONFPATH', 'SSLKEYLOGFILE', 'CLASSPATH', 'TCLLIBPATH', 'PHPRC'],
]);

const NOT_GIVEN_BEGINNINGS = [
  ...['LD_', 'BASH_', 'PYTHON', 'PERL', 'RUBY', 'GEM_', 'NODE_', 'LUA_', 'PHP_', 'JAVA_', '_JAVA_', 'JDK_', 'DOTNET_', 'AWK', 'GAWK'],
  ...['GIT_', 'SSL_', 'OPENSSL_', 'CURL_', 'XDG_', 'KRB5_', 'SYSTEMD_', 'OCF_', 'HA_', 'PCMK_', 'CIB_', 'SYSTOLE_', 'CRM_'],
] as const;

/** What of the node agent's own variables is passed on: programs run as another account, which must not see what the agent was given for itself, such as the key of a store of secrets. */
const INHERITED = /^(?:PATH|TZ|LANG|LANGUAGE|LC_[A-Z]+|(?:https?|ftp|all|no)_proxy|(?:HTTPS?|FTP|ALL|NO)_PROXY)$/;

/** Names of options that can't be variables, or that no program is given. */
export function optionsNotGiven(options: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(options).filter(
    (name) => !NAME.test(name) || NOT_GIVEN.has(name) || NOT_GIVEN_BEGINNINGS.some((beginning) => name.startsWith(beginning)),
  );
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
  const inherited = Object.fromEntries(Object.entries(node.inherited).filter(([name]) => INHERITED.test(name)));
  return { ...baseEnvironment({ ...node, inherited }), ...Object.fromEntries(given), ...told, ...Object.fromEntries(ofOld) };
}

const PREFIX = 'CRM_alert_';
