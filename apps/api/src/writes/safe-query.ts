import { FlagParameter } from '../http/fields.js';
import type { SafeChange } from './others-affected.js';
import { WriteQuery } from './write.dto.js';

/** What of a query says how careful a write is. */
export interface SafeQuery {
  readonly safe?: boolean | undefined;
  readonly othersMayMove?: boolean | undefined;
}

/** What writes take that may hurt other resources than those that they are about. */
export class SafeWriteQuery extends WriteQuery {
  @FlagParameter({
    description: 'Refuse (409 `others-affected`) when anything but what is meant would be stopped, moved or demoted, and say what.',
    optional: true,
  })
  readonly safe?: boolean;

  @FlagParameter({
    description: 'With `safe`: others may be moved, as long as they run on elsewhere, as what they were (`--no-strict` of `pcs`).',
    optional: true,
  })
  readonly othersMayMove?: boolean;
}

/** As the write takes it. @param only what is meant */
export function safely(only: readonly string[], { safe, othersMayMove }: SafeQuery = {}): { readonly safe?: SafeChange } {
  return safe === true ? { safe: { only, othersMayMove: othersMayMove === true } } : {};
}
