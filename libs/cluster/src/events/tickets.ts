export interface TicketChanged {
  readonly type: 'TicketChanged';
  readonly data: {
    /** Id of the ticket. */
    readonly ticket: string;
    /** Whether it is granted from now on; absent: that did not change. */
    readonly granted?: boolean;
    /** Whether it is in standby from now on; absent: that did not change. */
    readonly standby?: boolean;
    /** Other attributes of it that were set, by name. */
    readonly attributes?: Readonly<Record<string, string>>;
    /** Names of other attributes that it has no more; absent: none. */
    readonly cleared?: readonly string[];
    /** Nothing is known of it any more: it is as if it had never been granted. */
    readonly forgotten?: true;
    /** A person's. */
    readonly reason?: string;
  };
}
