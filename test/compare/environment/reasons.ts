import type { Difference } from './calls.js';

/** Why Systole gives an agent another value than Pacemaker 2.1.5 did: the first that a difference fits. What fits none may not be. */
const REASONS: readonly (readonly [fits: (difference: Difference) => boolean, reason: string])[] = [
  [
    ({ variable }) => /^(PCMK_|HA_(LOG|log|cluster_type|quorum_type|mcp$|debug))/.test(variable),
    'Settings of daemons that there are none of here: agents log to standard error, which the agent of the node keeps.',
  ],
  [
    ({ variable, theirs }) => /^HA_(RSCTMP|VARRUN|SBIN_DIR)$/.test(variable) && theirs === undefined,
    'Where agents keep their state and find the cluster’s tools is told to them, since it need not be where it was at their compilation.',
  ],
  [
    ({ variable }) => variable === 'OCF_OUTPUT_FORMAT',
    'How the tools of Pacemaker 2 print; ours print text unless they are asked for something else.',
  ],
  [({ variable }) => variable === 'OCF_RESKEY_crm_feature_set', 'That of Pacemaker 3.0.'],
  [
    ({ variable, theirs, ours }) => variable === 'OCF_RESKEY_CRM_meta_interval' && theirs === undefined && ours === '0',
    'Told for every action; agents take what is missing for 0.',
  ],
  [
    ({ variable, theirs }) => variable === 'OCF_RESKEY_CRM_meta_name' && theirs === undefined,
    'Told for every action, not only for those that the configuration has an operation for.',
  ],
  [
    ({ variable, theirs, ours }) => variable.endsWith('_notify_available_uname') && sorted(theirs) === sorted(ours),
    'In the order of their names, as 3.0 has it.',
  ],
  [
    ({ variable, theirs, ours }) => variable.endsWith('_op_target_rc') && theirs === undefined && ours === '8',
    'As 3.0 has it: a monitor of the promoted role expects 8 in the transition that starts and promotes, too.',
  ],
];

function sorted(words = ''): string {
  return words.split(' ').sort().join(' ');
}

/** undefined: there is none. */
export function reasonFor(difference: Difference): string | undefined {
  return REASONS.find(([fits]) => fits(difference))?.[1];
}
