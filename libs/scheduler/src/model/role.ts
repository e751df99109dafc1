/** Roles in their order of comparison (specification 03 §0.1): Unknown < Stopped < Started < Unpromoted < Promoted. */
export enum RoleLevel {
  Unknown = 0,
  Stopped = 1,
  Started = 2,
  Unpromoted = 3,
  Promoted = 4,
}

const names = ['Unknown', 'Stopped', 'Started', 'Unpromoted', 'Promoted'] as const;

/** The role's text as it stands in outputs. */
export function roleName(role: RoleLevel): (typeof names)[number] {
  return names[role];
}

/** Reads a role, ASCII case ignored, legacy names included (specification 01 §10.3); undefined when unrecognised or missing. */
export function parseRole(text: string | undefined): RoleLevel | undefined {
  switch (text?.toLowerCase()) {
    case 'unknown':
      return RoleLevel.Unknown;
    case 'stopped':
      return RoleLevel.Stopped;
    case 'started':
      return RoleLevel.Started;
    case 'unpromoted':
    case 'slave':
      return RoleLevel.Unpromoted;
    case 'promoted':
    case 'master':
      return RoleLevel.Promoted;
    default:
      return undefined;
  }
}
