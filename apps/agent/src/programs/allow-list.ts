import type { AgentResource } from '@systole/ocf';

const CLASSES = ['ocf', 'lsb', 'systemd', 'service', 'stonith', 'alert'] as const;
type AgentClass = (typeof CLASSES)[number];

/** A text in which `*` stands for anything, as a pattern for whole names. */
function globOf(text: string): RegExp {
  const literal = (part: string): string => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${text.split('*').map(literal).join('.*')}$`);
}

/** One entry: `systemd`, `systemd:nginx*`, `ocf:heartbeat`, `ocf:heartbeat:IPaddr2`, `stonith:fence_ipmilan`, `alert:/usr/local/bin/page`. */
interface Entry {
  readonly class: AgentClass;
  readonly provider: RegExp;
  readonly type: RegExp;
}

/** @returns undefined for what is no entry */
function entryOf(text: string): Entry | undefined {
  const [first = '', ...names] = text.split(':');
  const known = CLASSES.find((each) => each === first);
  if (known === undefined || names.includes('') || names.length > (known === 'ocf' ? 2 : 1)) return undefined;
  const [provider, type] = known === 'ocf' ? names : ['', ...names];
  return { class: known, provider: globOf(provider ?? '*'), type: globOf(type ?? '*') };
}

/** An entry that says nothing that could be allowed. */
export class InvalidAllowEntry extends Error {
  override readonly name = 'InvalidAllowEntry';
}

/** What may run on a node, as the node's own settings say: whoever commands the cluster has no power over that. */
export class AllowList {
  readonly #entries: readonly Entry[];

  /** @throws {InvalidAllowEntry} */
  constructor(texts: readonly string[]) {
    this.#entries = texts.map((text) => {
      const entry = entryOf(text);
      if (entry !== undefined) return entry;
      throw new InvalidAllowEntry(
        `'${text}' allows nothing: give a class (${CLASSES.join(', ')}), and after it names, e.g. ocf:heartbeat:IPaddr2, systemd:nginx*`,
      );
    });
  }

  /** Why an agent may not run, and where that is set; undefined when it may. */
  refusalOf(resource: Pick<AgentResource, 'class' | 'provider' | 'type'>): string | undefined {
    const { class: named, provider = '', type } = resource;
    const allowed = this.#entries.some(
      (entry) => entry.class === named.toLowerCase() && entry.provider.test(provider) && entry.type.test(type),
    );
    if (allowed) return undefined;
    const agent = [named, ...(provider === '' ? [] : [provider]), type].join(':');
    return `${agent} may not run on this node: it is not among what the node agent's --allow (SYSTOLE_ALLOW) names`;
  }
}
