import { Option } from 'commander';

/** `--secrets` of what shows parameters. */
export function secretsOption(): Option {
  return new Option('--secrets <how>', 'show secrets in clear, which needs the right to see them; each time is in the audit').choices([
    'clear',
  ]);
}
