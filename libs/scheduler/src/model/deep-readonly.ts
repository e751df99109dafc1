import type { XmlElement } from '@systole/cib';

/** The methods that only answer. Any other is left out, so that one that changes something can't be forgotten here. */
type Answering =
  | 'firstNamed'
  | 'integer'
  | 'parameters'
  | 'score'
  | 'mode'
  | 'trail'
  | 'nodeByName'
  | 'primitives'
  | 'first'
  | 'has'
  | 'get'
  | 'hasAncestor'
  | 'withKey'
  | 'withTask';

type Method = (...args: never) => unknown;

/** An object with what it says and answers. */
type Facade<Part> = {
  readonly [Name in keyof Part as Part[Name] extends Method ? Extract<Name, Answering> : Name]: DeepReadonly<Part[Name]>;
};

/** A part of a run, and all that is reached from it, as it is to who may only read it: without a field, list, map, set or method by which it could be changed. */
export type DeepReadonly<Part> = Part extends XmlElement | string
  ? Part
  : Part extends readonly (infer Element)[]
    ? readonly DeepReadonly<Element>[]
    : Part extends ReadonlyMap<infer Key, infer Value>
      ? ReadonlyMap<DeepReadonly<Key>, DeepReadonly<Value>>
      : Part extends ReadonlySet<infer Element>
        ? ReadonlySet<DeepReadonly<Element>>
        : Part extends Iterable<infer Element>
          ? Iterable<DeepReadonly<Element>>
          : Part extends (...args: infer Args) => infer Result
            ? (...args: Args) => DeepReadonly<Result>
            : Part extends object
              ? Facade<Part>
              : Part;
