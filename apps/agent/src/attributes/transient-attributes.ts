import type { AttributesAnswer } from '@systole/protocol';
import type { PrivateAttributes } from './private-attributes.js';

/** What the tools ask of whoever keeps what is set until the reboot. */
export interface TransientAttributes {
  /** As they were said last, also those that are held back. @param of by the name of the node, and of the attribute */
  readonly read: (of: { readonly node?: string; readonly name?: string }) => Promise<AttributesAnswer['attributes']>;
  /** Those of this node that are private. */
  readonly own: Pick<PrivateAttributes, 'get' | 'names' | 'set'>;
}
