const MERGE_PATCHES = ['application/merge-patch+json', 'application/json'] as const;
const ALL_PATCHES = ['application/merge-patch+json', 'application/json-patch+json', 'application/json'] as const;

const CONFIGURATION = /^\/v1\/clusters\/[^/]+\/configuration(\/|$)/;

/** What a patch may be at a path: a merge patch (RFC 7396), also when it is called JSON; of a configuration a JSON Patch (RFC 6902), too. For `Accept-Patch` (RFC 5789 §3.1). */
export function patchTypesAt(path: string): readonly string[] {
  return CONFIGURATION.test(path) ? ALL_PATCHES : MERGE_PATCHES;
}
