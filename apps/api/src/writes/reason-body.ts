import { TextField } from '../http/fields.js';

/** The body of a command that needs nothing but, perhaps, a reason. */
export class ReasonBody {
  @TextField({ description: 'Why; kept with the event.', max: 1_000, optional: true })
  readonly reason?: string;
}

/** The reason as commands carry it. */
export function because({ reason }: { readonly reason?: string }): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}
