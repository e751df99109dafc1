/** Roles of a resource in their order of comparison, lowest first (specification 01 §10.3). */
export const ROLES = ['Unknown', 'Stopped', 'Started', 'Unpromoted', 'Promoted'] as const;

export type Role = (typeof ROLES)[number];

/** Reads a role, ASCII case ignored, the legacy names `Slave` and `Master` included; undefined when missing or unrecognised. */
export function parseRole(text: string | undefined): Role | undefined {
  switch (text?.toLowerCase()) {
    case 'unknown':
      return 'Unknown';
    case 'stopped':
      return 'Stopped';
    case 'started':
      return 'Started';
    case 'unpromoted':
    case 'slave':
      return 'Unpromoted';
    case 'promoted':
    case 'master':
      return 'Promoted';
    default:
      return undefined;
  }
}
