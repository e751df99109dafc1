import { Option } from 'commander';

/** `--at` of everything that can be shown as it was. */
export function atOption(): Option {
  return new Option('--at <when>', 'as it was at this version of the cluster, date and time, or age, e.g. 2h');
}
