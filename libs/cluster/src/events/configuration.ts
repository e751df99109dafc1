import type { ElementChange } from '@systole/cib';

/** The value of a secret was forgotten for good; the configuration may still refer to it. */
export interface SecretErased {
  readonly type: 'SecretErased';
  readonly data: {
    /** Its id, as references have it. */
    readonly secret: string;
    /** The resource that it was given for. */
    readonly owner: string;
    /** Name of the parameter that it is the value of. */
    readonly parameter: string;
    /** A person's. */
    readonly reason?: string;
  };
}

/** What whoever asked for a configuration forced: it was surely not meant, and would have been refused. */
export interface Forced {
  /** How many findings there were. */
  readonly count: number;
  /** The first hundred of them. */
  readonly findings: readonly {
    /** Of the XML element, with ids. */
    readonly path: string;
    /** The attribute of that element that is wrong, if it is one. */
    readonly attribute?: string;
    /** What is wrong. */
    readonly message: string;
  }[];
}

export interface ConfigurationChanged {
  readonly type: 'ConfigurationChanged';
  readonly data: {
    /** What was asked for, e.g. `replace-configuration`. */
    readonly command: string;
    /** What it was asked for with, by name. */
    readonly arguments: Readonly<Record<string, unknown>>;
    /** What it changed, element by element, in the order in which it is applied. */
    readonly changes: readonly ElementChange[];
    /** A person's. */
    readonly reason?: string;
    /** Absent when nothing had to be forced. */
    readonly forced?: Forced;
    /** The version of the document that it is, where that is higher than the one before: what follows counts on from it. */
    readonly countedFrom?: DocumentVersion;
  };
}

/** Which version of a configuration a CIB says that it has: what Pacemaker compares, the first part first. */
export interface DocumentVersion {
  /** `admin_epoch`. */
  readonly adminEpoch: number;
  /** `epoch`. */
  readonly epoch: number;
}
