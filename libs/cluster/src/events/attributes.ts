/** `forever` lives in the node's configuration, `reboot` in its transient attributes. */
export type AttributeLifetime = 'forever' | 'reboot';

export interface NodeAttributeSet {
  readonly type: 'NodeAttributeSet';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Name of the attribute. */
    readonly name: string;
    /** Its value from now on. */
    readonly value: string;
    /** How long it stays. */
    readonly lifetime: AttributeLifetime;
    /** What it makes in the configuration gets ids that nothing else there has. Else, as in older logs, later changes may name the ids that come of its names alone. */
    readonly uniqueIds?: true;
    /** A person's. */
    readonly reason?: string;
    /** It was held back before, and is written with what else was held of it. */
    readonly held?: true;
  };
}

export interface NodeAttributeCleared {
  readonly type: 'NodeAttributeCleared';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Name of the attribute. */
    readonly name: string;
    /** Which of the two of that name. */
    readonly lifetime: AttributeLifetime;
    /** A person's. */
    readonly reason?: string;
    /** It was held back before, and is written with what else was held of it. */
    readonly held?: true;
  };
}

/** An agent set or cleared a transient attribute that is dampened: it is written when nothing of it has changed for that long, together with what changes of it on other nodes. */
export interface NodeAttributeHeld {
  readonly type: 'NodeAttributeHeld';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Name of the attribute. */
    readonly name: string;
    /** What is to be written; absent: it is to be cleared. */
    readonly value?: string;
    /** How long changes of the attribute wait from now on, on all nodes, ms. */
    readonly delayMs: number;
  };
}

/** Changes of a transient attribute wait for others of it from now on, on all nodes. */
export interface AttributeDelaySet {
  readonly type: 'AttributeDelaySet';
  readonly data: {
    /** Name of the attribute. */
    readonly name: string;
    /** How long, ms; 0: no more, and what is held is written at once. */
    readonly delayMs: number;
  };
}
