/**
 * The program of an alert did not end well on a node for the first time since it did, or since the alert was configured. Further runs that end badly say nothing new: the list of runs has them.
 */
export interface AlertFailed {
  readonly type: 'AlertFailed';
  readonly data: AlertLane & {
    /** The program. */
    readonly path: string;
    /** `failed`: it exited with something else than 0, or by a signal; `timeout`: it was killed as its time was up; `not-run`: it was not begun, or nobody knows. */
    readonly outcome: 'failed' | 'timeout' | 'not-run';
    /** Its exit code, where it exited. */
    readonly rc?: number;
    /** What it printed last, or why it was not begun; cut short. */
    readonly detail?: string;
  };
}

/** The program of an alert that had failed on a node ended well there. */
export interface AlertRecovered {
  readonly type: 'AlertRecovered';
  readonly data: AlertLane;
}

/** Whose runs on a node are told one after the other. */
export interface AlertLane {
  /** Id of the alert. */
  readonly alert: string;
  /** Id of the recipient; absent where the alert has none. */
  readonly recipient?: string;
  /** Name of the node that ran it. */
  readonly node: string;
  /** Number of the run; later ones have greater ones. */
  readonly run: number;
}
