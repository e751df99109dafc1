import { LIMITS } from '@systole/protocol';
import { TextField } from '../http/fields.js';

/** Which transient attributes an agent asks for. */
export class AgentAttributesQuery {
  @TextField({ description: 'Of this node, by its name or id; without it those of all.', max: LIMITS.nameChars, optional: true })
  readonly node?: string;

  @TextField({ description: 'Those of this name; without it all.', max: LIMITS.attributeNameChars, optional: true })
  readonly name?: string;
}
