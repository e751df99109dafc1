/** What a name may end in (systemd.unit(5)). */
const SUFFIX = /\.(service|socket|mount|target|timer|path|slice|scope|device|automount|swap)$/;
/** Of what names of units consist; nothing that begins as an option does. */
const NAME = /^[A-Za-z0-9_:\\][A-Za-z0-9_:.\\@-]*$/;
/** Bytes that a name has at most. */
const LONGEST = 255;

/** A unit by its name, or why there can't be one. */
export type UnitName =
  { readonly ok: true; readonly unit: string; readonly isService: boolean } | { readonly ok: false; readonly problem: string };

/**
 * The unit that a resource's type names: without a suffix it is a service, as for `systemctl`. `name@instance` is an instance of a template; the
 * template alone is nothing that runs.
 */
export function unitName(type: string): UnitName {
  const unit = SUFFIX.test(type) ? type : `${type}.service`;
  const isService = unit.endsWith('.service');
  if (!NAME.test(unit) || unit.length > LONGEST) return { ok: false, problem: `'${type}' is no name of a systemd unit` };
  if (/@\.[a-z]+$/.test(unit)) {
    return {
      ok: false,
      problem: `${unit} is a template, which never runs itself: name an instance of it, e.g. ${unit.replace('@.', '@1.')}`,
    };
  }
  return { ok: true, unit, isService };
}
