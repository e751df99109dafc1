/** Words of a parameter's name that say that its value is a secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...['password', 'passwd', 'passphrase', 'passcode', 'passwort', 'pass', 'pw', 'pwd'],
  ...['secret', 'token', 'credential', 'community', 'apikey', 'psk'],
]);

/** What a key is that is a secret, as a word before it or written together with it. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  ...['api', 'access', 'private', 'priv', 'secret', 'account', 'auth', 'authentication', 'authorization'],
  ...['shared', 'preshared', 'encryption', 'encrypt', 'signing', 'master', 'hmac', 'session'],
]);

/** Names of parameters of known agents that have none of these words: the key of a BMC (`fence_ipmilan`). */
const SECRET_NAMES: ReadonlySet<string> = new Set(['hexadecimal_kg']);

/** Last words of names whose values tell where a secret is, or something about it. */
const TELLING: ReadonlySet<string> = new Set([
  ...['script', 'file', 'path', 'dir', 'directory', 'command', 'cmd', 'prompt', 'url', 'uri', 'host', 'port', 'server'],
  ...['length', 'timeout', 'retries', 'interval', 'type', 'name', 'id', 'user', 'required', 'encryption', 'policy'],
]);

/** What a server's settings add: names of parameters in which `*` stands for anything. */
export type SecretPatterns = readonly string[];

/**
 * Whether the value of a parameter of that name is a secret: by the words of its name (`passwd`, `snmp_priv_passwd`, `adminPassword`, `community`; not `passwd_script`, whose value is a path), or because
 * a setting names it.
 */
export function isSecretParameter(name: string, patterns: SecretPatterns = []): boolean {
  return isSecretByName(name) || patterns.some((pattern) => matches(name, pattern));
}

/** Longest name that is taken apart, characters: no agent has such a parameter. */
const LONGEST_NAME = 256;

/** Also of several. */
function isSecretWord(word: string): boolean {
  return SECRET_WORDS.has(word) || (word.endsWith('s') && SECRET_WORDS.has(word.slice(0, -1)));
}

function isSecretByName(name: string): boolean {
  if (name.length > LONGEST_NAME) return false;
  const words = name
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase().replace(/\d+$/, ''));
  const last = words.at(-1) ?? '';
  if (TELLING.has(last)) return false;
  if (SECRET_NAMES.has(words.join('_'))) return true;
  return words.some((word, index) => isSecretWord(word) || isSecretKey(word, words[index - 1]) || WRITTEN_TOGETHER.test(word));
}

/** Ends of words that are written without anything between them: `repuserpasswd`, `sharedsecret`. */
const WRITTEN_TOGETHER = /(?:passwd|password|passphrase|secret|token|credential)s?$/;

function isSecretKey(word: string, before: string | undefined): boolean {
  const [, of] = /^(.*)keys?$/.exec(word) ?? [];
  if (of === undefined) return false;
  return of === '' ? before !== undefined && SECRET_KEYS.has(before) : SECRET_KEYS.has(of);
}

/** As `*` matches; each part is looked for once, from the left. */
function matches(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return name === pattern;
  if (!name.startsWith(first)) return false;
  const last = parts.pop() ?? '';
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
