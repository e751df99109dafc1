import { isDefault, pairElements } from '../nvpairs/nvpair-sets.js';
import { parseBoolean } from '../scalars/boolean.js';
import { parseInterval } from '../scalars/interval.js';
import { childrenNamed, type XmlElement } from '../xml/element.js';
import { ALERT_ATTRIBUTES } from './alert-definitions.js';

/** A meta-attribute of an alert or a recipient that does not do what it seems to say. */
export interface AlertMistake {
  readonly at: XmlElement;
  readonly kind: 'unknown-name' | 'unreadable-value';
  readonly attribute: 'name' | 'value';
  readonly message: string;
  readonly meanwhile: string;
}

const KNOWN = ALERT_ATTRIBUTES.map(({ name }) => name);

/** What is wrong with the meta-attributes of an alert or a recipient. */
export function* alertMistakes(of: XmlElement): Generator<AlertMistake> {
  for (const set of childrenNamed(of, 'meta_attributes')) {
    for (const at of pairElements(set)) {
      const { name, value } = at.attributes;
      if (name === undefined || value === undefined || isDefault(value)) continue;
      const shown = value.slice(0, 80);
      if (!KNOWN.includes(name)) {
        const message = `${name.slice(0, 80)}: alerts have no such meta-attribute: use ${KNOWN.join(', ')}`;
        yield { at, kind: 'unknown-name', attribute: 'name', message, meanwhile: 'it has no effect' };
      } else if (name === 'enabled' && parseBoolean(value) === undefined) {
        const message = `enabled: "${shown}" can't be read: use true or false`;
        yield { at, kind: 'unreadable-value', attribute: 'value', message, meanwhile: 'it counts as true' };
      } else if (name === 'timeout' && !((parseInterval(value) ?? 0) > 0)) {
        const message = `timeout: "${shown}" can't be read: use a time such as 30s or 2min`;
        yield { at, kind: 'unreadable-value', attribute: 'value', message, meanwhile: 'it counts as 30 s' };
      }
    }
  }
}
