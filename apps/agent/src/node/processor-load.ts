import { availableParallelism, loadavg } from 'node:os';

/** What runs or waits to run on this machine, as an average over a minute, in percent of what its processors take at a time. */
export function processorLoadPercent(): number {
  const [ofMinute = 0] = loadavg();
  return (100 * ofMinute) / availableParallelism();
}
