import { isSecretParameter, secretReferenceIn } from '@systole/cib';

/** What stands where a secret was. */
export const REMOVED = '********';

/** Shorter values are removed where they stand, and looked for nowhere else: they are a part of too much. */
const LEAST_LOOKED_FOR = 4;
/** Shorter values are looked for as words of their own only. */
const LEAST_IN_WORDS = 8;
/** Said of so much that it is no secret of anybody's, whatever it is the value of. */
const SAID_OF_MUCH: ReadonlySet<string> = new Set([
  'true',
  'false',
  'none',
  'null',
  'undefined',
  'unknown',
  'default',
  'public',
  'private',
  'root',
  'admin',
]);
/** Members of documents that are about a secret, and none: when, how many, how long. */
const ABOUT = /(?:At|Until|Ms|Count)$/;
/** How documents call what a value belongs to. */
const CALLED = ['name', 'attribute', 'parameter', 'param', 'option', 'key'] as const;

/** Tokens whose issuers gave them a form of their own: ours, those of webhooks, JSON Web Tokens, GitHub, GitLab, Slack, AWS, Vault, Stripe. */
const TOKENS =
  /\b(?:systole_[\w-]{20,}|whsec_[\w+/=-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|hv[sb]\.[\w-]{20,}|[rs]k_live_\w{16,})/g;
const PRIVATE_KEYS = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g;
/** Headers that say who somebody is (RFC 9110, RFC 6265), up to the end of the line or of the quoted text. */
const HEADERS = /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|x-auth-token)(["']?\s*[:=]\s*["']?)[^\r\n"']+/gi;
const SCHEMES = /\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{8,}/g;
/** Who and with which password, of a URL. Passwords that hold an `@` end at the last one before the path. */
const USER_INFO = /\b([a-z][a-z\d+.-]{0,30}:\/\/)([^\s/@:"'<>]*):([^\s/"'<>]+)@/gi;
/** A name, and what stands between it and its value: `password=`, `"password": `, `PASSWORD: `, `?token=`. */
const ASSIGNED = /(?<![\w.-])([A-Za-z_][\w.-]*)(?:\\?["'])?\s*(?:=>?|:)\s*/g;
/** The value that begins there. What could also end it belongs to it where something follows at once: passwords have such characters; but not the next parameter of a URL. */
const VALUE =
  /\\?"(?:[^"\\]|\\[^"])*\\?"|'[^']*'|&quot;.*?&quot;|&apos;.*?&apos;|(?:[^\s"'<>&,;|)}\]]|[,;|)}\]](?=[^\s"'<>,;|)}\]])|&(?![\w.-]+=))+/y;
/** `--password x`. */
const OPTIONS = /(?<![\w-])--([A-Za-z][\w-]*)(\s+)("[^"]*"|'[^']*'|[^\s"'<>-][^\s"'<>]*)/g;
/** `password "x"`, `password is "x"`. */
const QUOTED = /(?<![\w.-])([A-Za-z_][\w.-]*)(\s+(?:is\s+|was\s+)?)("[^"]*"|'[^']*')/g;
const TAGS = /<([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))+)\s*\/?>/g;
const TAG_ATTRIBUTES = /([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*')/g;
const STRING_LITERALS = /"(?:[^"\\]|\\.)*"/g;

/**
 * Takes secrets out of what is to be given away: by the names that they go by ({@link isSecretParameter}), by the forms that tokens, keys and URLs have, and, once it has seen a secret by its name, wherever
 * the same value stands.
 *
 * What bears no such name, has no such form and is seen nowhere by its name can't be told from other text: a person has to look.
 */
export class Redaction {
  readonly #values = new Set<string>();
  #pattern: RegExp | undefined;

  /** @param secrets that are known from the beginning */
  constructor(secrets: readonly string[] = []) {
    for (const secret of secrets) this.#learn(secret);
  }

  /** A JSON document without secrets. */
  document<T>(value: T): T {
    return this.#value(value) as T;
  }

  /** A text without secrets, XML included. */
  text(text: string): string {
    const apart = text
      .replace(PRIVATE_KEYS, (_, kind: string) => `-----BEGIN ${kind}-----${REMOVED}-----END ${kind}-----`)
      .replace(TOKENS, REMOVED)
      .replace(TAGS, (tag) => this.#tag(tag))
      .replace(HEADERS, (_, name: string, between: string) => `${name}${between}${REMOVED}`)
      .replace(SCHEMES, (_, scheme: string) => `${scheme} ${REMOVED}`)
      .replace(USER_INFO, (_, scheme: string, user: string, password: string) => {
        this.#learnOfUrl(password);
        return `${scheme}${user}:${REMOVED}@`;
      })
      .replace(OPTIONS, (all, name: string, between: string, value: string) =>
        this.#isSecret(name, bare(value)) ? `--${name}${between}${this.#removedFrom(value)}` : all,
      )
      .replace(QUOTED, (all, name: string, between: string, value: string) =>
        this.#isSecret(name, bare(value)) ? `${name}${between}${this.#removedFrom(value)}` : all,
      );
    return this.#unassigned(apart);
  }

  /**
   * A line of a file of which {@link document} or {@link text} took the secrets that it could see, without the values that were seen to be secrets anywhere. To be called when everything was seen.
   *
   * @param isJson then only what its strings hold is replaced, so that it stays JSON
   */
  seenElsewhere(line: string, isJson: boolean): string {
    if (this.#values.size === 0) return line;
    this.#pattern ??= patternOf(this.#values);
    const pattern = this.#pattern;
    if (!isJson) return line.replace(pattern, REMOVED);
    return line.replace(STRING_LITERALS, (literal) => {
      const text = literal.includes('\\') ? parsedString(literal) : literal.slice(1, -1);
      const without = text.replace(pattern, REMOVED);
      return without === text ? literal : JSON.stringify(without);
    });
  }

  /** Without what is assigned to names of secrets. What follows another name may be a name itself: `error: password=x`. */
  #unassigned(text: string): string {
    let kept = '';
    let from = 0;
    ASSIGNED.lastIndex = 0;
    for (let found = ASSIGNED.exec(text); found !== null; found = ASSIGNED.exec(text)) {
      VALUE.lastIndex = ASSIGNED.lastIndex;
      const [value = ''] = VALUE.exec(text) ?? [];
      if (!this.#isSecret(found[1] ?? '', bare(value))) continue;
      kept += text.slice(from, ASSIGNED.lastIndex) + this.#removedFrom(value);
      from = ASSIGNED.lastIndex + value.length;
      ASSIGNED.lastIndex = from;
    }
    return kept + text.slice(from);
  }

  #value(value: unknown, name?: string): unknown {
    if (typeof value === 'string') {
      if (name === 'url') return this.#address(value);
      return name !== undefined && this.#isSecret(name, value) ? this.#removed(value) : this.text(value);
    }
    if (typeof value === 'number') return name !== undefined && this.#isSecret(name, String(value)) ? this.#removed(String(value)) : value;
    if (Array.isArray(value)) return value.map((each) => this.#value(each, name));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value);
    const called = calledIn(value);
    return Object.fromEntries(
      members.map(([member, each]) => [
        member,
        this.#value(each, (member === 'value' || member === 'values') && called !== undefined ? called : member),
      ]),
    );
  }

  /** Where a webhook is sent to: what follows the host is what the receiver knows its senders by, with many services. */
  #address(url: string): string {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined) return this.text(url);
    this.#learnOfUrl(parsed.password);
    const rest = `${parsed.pathname}${parsed.search}`;
    if (rest === '/' || rest === '') return `${parsed.protocol}//${parsed.host}/`;
    this.#learn(rest);
    return `${parsed.protocol}//${parsed.host}/${REMOVED}`;
  }

  #tag(tag: string): string {
    const pairs = [...tag.matchAll(TAG_ATTRIBUTES)].map(([, name = '', , value = '']) => [name, unescaped(value.slice(1, -1))] as const);
    const called = calledIn(Object.fromEntries(pairs));
    return tag.replace(TAG_ATTRIBUTES, (all, name: string, between: string, quoted: string) => {
      const value = unescaped(quoted.slice(1, -1));
      const isSecret = (name === 'value' && called !== undefined && this.#isSecret(called, value)) || this.#isSecret(name, value);
      return isSecret ? `${name}${between}${quoted.slice(0, 1)}${this.#removed(value)}${quoted.slice(-1)}` : all;
    });
  }

  #isSecret(name: string, value: string): boolean {
    if (value === '' || value === REMOVED || name === 'systole-secret' || ABOUT.test(name)) return false;
    return isSecretParameter(name) && secretReferenceIn(value) === undefined && !/^(?:systole-secret|lrm):/.test(value);
  }

  /** A value that stands as a parameter's, or a member's: that it is the secret nobody doubts. */
  #removed(value: string): string {
    this.#learn(value);
    return REMOVED;
  }

  /** A value from running text, which may as well be a word. */
  #removedFrom(written: string): string {
    const value = bare(written);
    if (value.length >= LEAST_IN_WORDS && /[^A-Za-z]/.test(value)) this.#learn(value);
    const quote = /^(?:\\?["']|&quot;|&apos;)/.exec(written)?.[0] ?? '';
    return `${quote}${REMOVED}${quote}`;
  }

  #learnOfUrl(password: string): void {
    this.#learn(password);
    try {
      this.#learn(decodeURIComponent(password));
    } catch {
      // Not encoded: it is what it is.
    }
  }

  #learn(value: string): void {
    if (value.length < LEAST_LOOKED_FOR || SAID_OF_MUCH.has(value.toLowerCase()) || /^\*+$/.test(value)) return;
    this.#values.add(value);
    this.#pattern = undefined;
  }
}

/** What a value belongs to, as its neighbours say. */
function calledIn(members: object): string | undefined {
  const told: Readonly<Record<string, unknown>> = { ...members };
  for (const name of CALLED) {
    const called = told[name];
    if (typeof called === 'string') return called;
  }
  return undefined;
}

function bare(value: string): string {
  return value.replace(/^(?:\\?["']|&quot;|&apos;)/, '').replace(/(?:\\?["']|&quot;|&apos;)$/, '');
}

/** The text of a literal; itself where it is none. */
function parsedString(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal.slice(1, -1);
  }
}

/** As it stands, as XML, URLs and JSON within a text write it, and as Base64: the longest first. */
function patternOf(values: ReadonlySet<string>): RegExp {
  const written = new Set<string>();
  for (const value of values) {
    for (const form of [value, escaped(value), encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)])
      written.add(form);
    if (value.length >= LEAST_IN_WORDS) written.add(Buffer.from(value).toString('base64'));
  }
  const forms = [...written]
    .sort((a, b) => b.length - a.length)
    .map((form) => {
      const literal = form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
      return form.length >= LEAST_IN_WORDS ? literal : `(?<![A-Za-z0-9_])${literal}(?![A-Za-z0-9_])`;
    });
  return new RegExp(forms.join('|'), 'g');
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity] ?? entity);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
