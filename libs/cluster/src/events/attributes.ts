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
  };
}
