/** What a part of a pattern becomes: steps of a program. */
interface Steps {
  /** With what it repeats written out. */
  readonly whole: number;
  /** Each repeated part written once. */
  readonly once: number;
}

const NOTHING: Steps = { whole: 0, once: 0 };
const ONE: Steps = { whole: 1, once: 1 };

/** A set of letters that Unicode names (`\p{L}`) has hundreds of ranges, which are joined, turned round and folded: about as much work as so many steps. */
const NAMED_LETTERS = 100;
/** Characters of a range that are looked up for their other case in about the time that a step takes. */
const FOLDED_A_STEP = 150;

/**
 * How much more than its own characters a pattern is to compile, in steps of the program that it becomes: what its repeats (`{2,9}`) write out, the product where they are nested and the sum where they follow each other, and
 * what its classes weigh. Counted over the text alone, in time that grows with it. Of what is no pattern it says nothing.
 */
export function stepsBeyondText(pattern: string, ignoreCase: boolean): number {
  const isFolded = ignoreCase || /\(\?[a-zA-Z]*i/.test(pattern);
  let weight = 0;
  /** The parts that are open, the outermost first. */
  const outer: { readonly before: Steps; readonly bounds: Steps }[] = [];
  let sequence = NOTHING;
  /** What a repeat would be of; counted when it is known to have none. */
  let last = NOTHING;
  const follow = (part: Steps): void => {
    sequence = sum(sequence, last);
    last = part;
  };
  let at = 0;
  while (at < pattern.length) {
    const character = pattern[at];
    switch (character) {
      case '(': {
        const [opening = '('] = OPENING.exec(pattern.slice(at, at + LONGEST_OPENING)) ?? [];
        follow(NOTHING);
        at += opening.length;
        if (opening.endsWith(')')) continue;
        outer.push({ before: sequence, bounds: opening.endsWith(':') ? NOTHING : BOUNDS });
        sequence = NOTHING;
        continue;
      }
      case ')': {
        const { before, bounds } = outer.pop() ?? { before: NOTHING, bounds: NOTHING };
        last = sum(sum(sequence, last), bounds);
        sequence = before;
        at += 1;
        continue;
      }
      case '|':
        // Nothing of its own: single characters become one class.
        follow(NOTHING);
        at += 1;
        continue;
      case '[': {
        const found = classAt(pattern, at, isFolded);
        weight += found.weight;
        follow(ONE);
        at = found.end;
        continue;
      }
      case '\\': {
        const quoted = quotedAt(pattern, at);
        if (quoted !== undefined) {
          for (let index = 0; index < quoted.characters; index += 1) follow(ONE);
          at = quoted.end;
          continue;
        }
        const { end, weight: escaped } = escapeAt(pattern, at);
        weight += escaped;
        follow(ONE);
        at = end;
        continue;
      }
      case '{': {
        const repeat = REPEAT.exec(pattern.slice(at, at + LONGEST_REPEAT));
        if (repeat === null) {
          follow(ONE);
          at += 1;
          continue;
        }
        const [text, least = '', comma, most] = repeat;
        last = repeated(last, Number(least), comma === undefined ? Number(least) : most === '' ? Infinity : Number(most));
        at += text.length;
        continue;
      }
      case '*':
      case '+':
      case '?':
        last = sum(last, ONE);
        at += 1;
        continue;
      default:
        follow(ONE);
        at += 1;
    }
  }
  const { whole, once } = outer.reduce((all, { before }) => sum(all, before), sum(sequence, last));
  return whole - once + weight;
}

/** `(`, `(?:`, `(?<name>`; what only sets flags (`(?i)`) is closed at once. */
const OPENING = /^\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*[:)]?))?/;
const LONGEST_OPENING = 200;
/** A part that is told of has two more, for where it begins and ends. */
const BOUNDS: Steps = { whole: 2, once: 2 };
const REPEAT = /^\{(\d{1,10})(?:(,)(\d{0,10}))?\}/;
const LONGEST_REPEAT = 24;

/** More than anybody allows, and far from where numbers end. */
const MOST_COUNTED = 1e9;

function sum(one: Steps, other: Steps): Steps {
  return { whole: one.whole + other.whole, once: one.once + other.once };
}

/** Each of those that may be missing has a step more, as the last of those without an end does. What is never there is not compiled. */
function repeated({ whole, once }: Steps, least: number, most: number): Steps {
  if (most === 0) return NOTHING;
  const each = Math.min(Math.max(whole, 1), MOST_COUNTED);
  return {
    whole: most === Infinity ? Math.max(least, 1) * each + 1 : least * each + Math.max(0, most - least) * (each + 1),
    once,
  };
}

interface Found {
  /** Where what follows begins. */
  readonly end: number;
  readonly weight: number;
}

/** `\Qa+b\E`: characters as they are. */
function quotedAt(pattern: string, at: number): { readonly end: number; readonly characters: number } | undefined {
  if (pattern[at + 1] !== 'Q') return undefined;
  const end = pattern.indexOf('\\E', at + 2);
  return end < 0 ? { end: pattern.length, characters: pattern.length - at - 2 } : { end: end + 2, characters: end - at - 2 };
}

function escapeAt(pattern: string, at: number): Found {
  const kind = pattern[at + 1];
  const isNamed = kind === 'p' || kind === 'P';
  const close = (isNamed || kind === 'x') && pattern[at + 2] === '{' ? pattern.indexOf('}', at) : -1;
  return { end: close < 0 ? at + (isNamed ? 3 : 2) : close + 1, weight: isNamed ? NAMED_LETTERS : 0 };
}

/** `[a-z[:digit:]\p{L}]`: one step, whatever it holds. */
function classAt(pattern: string, begin: number, isFolded: boolean): Found {
  let at = begin + (pattern[begin + 1] === '^' ? 2 : 1);
  const first = at;
  let weight = 0;
  while (at < pattern.length && (pattern[at] !== ']' || at === first)) {
    const named = pattern.startsWith('[:', at) ? pattern.indexOf(':]', at + 2) : -1;
    if (named >= 0) {
      at = named + 2;
      continue;
    }
    const from = memberAt(pattern, at);
    weight += from.weight;
    at = from.end;
    if (pattern[at] !== '-' || pattern[at + 1] === ']' || at + 1 >= pattern.length) continue;
    const to = memberAt(pattern, at + 1);
    if (isFolded) weight += Math.max(0, to.code - from.code) / FOLDED_A_STEP;
    at = to.end;
  }
  return { end: at + 1, weight: Math.floor(weight) };
}

/** A character of a class, or what stands for some. */
function memberAt(pattern: string, at: number): Found & { readonly code: number } {
  if (pattern[at] === '\\') {
    const found = escapeAt(pattern, at);
    const [, braced, short] = /^\\x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/.exec(pattern.slice(at, at + 16)) ?? [];
    const code = braced ?? short;
    if (code === undefined) return { ...found, code: pattern.codePointAt(at + 1) ?? 0 };
    return { ...found, end: short === undefined ? found.end : at + 4, code: Number.parseInt(code, 16) };
  }
  const code = pattern.codePointAt(at) ?? 0;
  return { end: at + String.fromCodePoint(code).length, weight: 0, code };
}
