import type { ActionIndex } from './action-index.js';
import type { NodeSet, ReadonlyNodeSet } from './node-set.js';
import type { ResourceRecord } from './resource/record.js';

export type { BundleSettings, CloneSettings, Replica } from './resource/collectives.js';
export type { MultipleActive, ResourceKind } from './resource/definition.js';

/** What a field is to who may only read it. */
type Read<Field> = Field extends readonly (infer Element)[]
  ? readonly Element[]
  : Field extends Map<infer Key, infer Value>
    ? ReadonlyMap<Key, Value>
    : Field extends NodeSet
      ? ReadonlyNodeSet
      : Field extends ActionIndex
        ? Omit<ActionIndex, 'add' | 'retask'>
        : Field;

/**
 * A resource as all phases see it: to be read. Each phase writes its own part alone, by `defining`, `observing`, `placing` or `planning`,
 * which only the folders of that phase may import.
 */
export type Resource = { readonly [Name in keyof ResourceRecord]: Read<ResourceRecord[Name]> };
