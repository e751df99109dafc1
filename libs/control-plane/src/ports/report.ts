/** Where a process says what happens to it, for people. */
export interface Report {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
