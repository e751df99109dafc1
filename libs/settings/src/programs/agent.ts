import { text } from '../setting.js';

/** What the agent's command line takes from the environment where an option is not given; it checks them. */
export const AGENT_SETTINGS = {
  SYSTOLE_SERVER: text('a URL', 'URL of the Systole server'),
  SYSTOLE_SERVERS: text('URLs, separated by commas', 'URLs of several Systole servers of one installation, separated by commas'),
  SYSTOLE_TOKEN: text('a token', "the agent's token; better in a file"),
  SYSTOLE_TOKEN_FILE: text('a path', 'file with the agent token (or set SYSTOLE_TOKEN)'),
  SYSTOLE_CA_FILE: text('a path', 'verify servers by the authorities in this file, and no others'),
  SYSTOLE_CERT_FILE: text('a path', "the node's certificate, to show to servers"),
  SYSTOLE_KEY_FILE: text('a path', 'its key'),
  SYSTOLE_NODE: text('a name', 'refuse to run if the token is for another node'),
  SYSTOLE_REMOTE: text('anything', 'this is a remote or guest node: wait until the configuration makes it one'),
  SYSTOLE_STATE_DIR: text('a directory', 'for the journal; survives reboots'),
  SYSTOLE_RUN_DIR: text('a directory', 'for sockets and state files; emptied by reboots'),
  SYSTOLE_PID_FILE: text('a path', "write the agent's pid there"),
  SYSTOLE_ALLOW: text(
    'agents, separated by commas',
    'run these only, by class and name, e.g. ocf:heartbeat:IPaddr2 or systemd:nginx* (repeatable, or separated by commas)',
  ),
  SYSTOLE_ALERT_USER: text('an account', 'run programs of alerts as this account (default hacluster where it exists, else as the agent)'),
  SYSTOLE_ACTION_LIMIT: text('a whole number', 'operations at once'),
  SYSTOLE_ON_LEASE_LOSS: text(
    'auto, keep, stop, watchdog or ignore',
    'when no server can be reached in time, instead of what the server wants (ignore: as keep)',
  ),
  SYSTOLE_WATCHDOG: text('a device', 'feed this watchdog, e.g. /dev/watchdog'),
  SYSTOLE_WATCHDOG_TIMEOUT: text(
    'a whole number, ms',
    'after how long without being fed the watchdog resets the machine, where its driver does not say: the server may count on it',
  ),
  SYSTOLE_PANIC_COMMAND: text(
    'a program',
    'restarts this machine at once when it was fenced and runs, if fencing-reaction is panic (default: b to /proc/sysrq-trigger)',
  ),
  SYSTOLE_LOG_LEVEL: text('a level', 'what is logged (default info)'),
  SYSTOLE_LOG_FORMAT: text('json or text', 'of what is no line of the log: why the agent does not start, warnings of Node.js'),
} as const;
