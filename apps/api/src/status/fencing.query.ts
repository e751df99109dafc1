import { LIMITS } from '@systole/protocol';
import { TextField } from '../http/fields.js';

/** Whose fencing is asked about. */
export class FencingQuery {
  @TextField({
    description:
      'Of this node, by its name, with the devices that can fence it; without it that of all. A node that was removed has a history, too.',
    max: LIMITS.nameChars,
    optional: true,
  })
  readonly node?: string;
}
