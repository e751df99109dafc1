import { flag, value, type OptionSpec } from './arguments.js';

/** What `crm_attribute` takes, whether it asks or writes. */
export const CRM_ATTRIBUTE: readonly OptionSpec[] = [
  value('name', '-n', '--name', '--attr-name'),
  value('pattern', '-P', '--pattern'),
  value('update', '-v', '--update', '--attr-value'),
  flag('query', '-G', '--query', '--get-value'),
  flag('delete', '-D', '--delete', '--delete-attr'),
  value('lifetime', '-l', '--lifetime'),
  value('node', '-N', '--node', '-U', '--uname', '--node-uname'),
  value('type', '-t', '--type'),
  flag('quiet', '-q', '-Q', '--quiet'),
  value('default', '-d', '--default'),
  value('set', '-s', '--set-name'),
  value('id', '-i', '--id', '--attr-id'),
  { name: 'promotion', spellings: ['-p', '--promotion'], kind: 'optional' },
  flag('utilization', '-z', '--utilization'),
  flag('verbose', '-V', '--verbose'),
];
