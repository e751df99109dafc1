/** Gets what went wrong with a request. */
export type OnTrouble = (error: Error) => void;
