/** What stands where Pacemaker names the program, or the node, that something came from. */
export const OURSELVES = 'systole';

/** A moment of the log as Pacemaker's tools count it, epoch seconds. @param moment ISO 8601 */
export function secondsOf(moment: string): number {
  return Math.floor(Date.parse(moment) / 1_000);
}
