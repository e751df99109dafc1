import { TextField, WholeParameter } from '../http/fields.js';
import { VERSION_OR_MOMENT, VERSION_OR_MOMENT_SAYS } from './past-versions.js';

/** A version, a moment or an age, in a query string. @param description what is as it was then */
export function WhenParameter(description: string): PropertyDecorator {
  return TextField({ description, pattern: VERSION_OR_MOMENT, patternSays: VERSION_OR_MOMENT_SAYS, max: 40, optional: true });
}

/** When something is looked at, in a query string. */
export class PastQuery {
  @WholeParameter({
    min: 1,
    description: 'As it was at this version of the cluster, at the time of that event; as it is now when left out.',
    optional: true,
  })
  readonly version?: number;

  @WhenParameter('As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`.')
  readonly at?: string;
}
