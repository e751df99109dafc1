export interface QuorumChanged {
  readonly type: 'QuorumChanged';
  readonly data: {
    /** Whether there is quorum from now on. */
    readonly quorate: boolean;
    /** How many votes are there. */
    readonly votes: number;
    /** How many there are when all nodes are there. */
    readonly expectedVotes: number;
  };
}
