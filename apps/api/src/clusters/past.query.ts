import { TextField, WholeParameter } from '../http/fields.js';
import { VERSION_OR_MOMENT, VERSION_OR_MOMENT_SAYS } from './past-versions.js';

/** When something is looked at, in a query string. */
export class PastQuery {
  @WholeParameter({
    min: 1,
    description: 'As it was at this version of the cluster, at the time of that event; as it is now when left out.',
    optional: true,
  })
  readonly version?: number;

  @TextField({
    description: 'As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`.',
    pattern: VERSION_OR_MOMENT,
    patternSays: VERSION_OR_MOMENT_SAYS,
    max: 40,
    optional: true,
  })
  readonly at?: string;
}
