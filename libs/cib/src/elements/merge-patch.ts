/** Deepest nesting that a patch is followed to. */
const MAX_DEPTH = 64;

/**
 * JSON with a merge patch applied to it (RFC 7396): objects are merged, `null` removes, everything else replaces.
 *
 * Names such as `__proto__` are fields like all others. What is nested deeper than anything that could be written replaces as a whole.
 */
export function mergePatch(target: unknown, patch: unknown, depth = 0): unknown {
  if (!isObject(patch) || depth > MAX_DEPTH) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value, depth + 1));
  }
  return Object.fromEntries(merged);
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
