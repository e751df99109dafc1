import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { TextField } from '../http/fields.js';
import { reasonFault } from './reason-text.js';

/** Where a reason is kept, by what it is the reason of: of a change of a cluster, or of the server itself. */
const KEPT_IN = { event: 'with the event', audit: 'in the audit' } as const;

/** The reason that whoever changes something may give; everywhere the same. */
export function ReasonField(keptIn: keyof typeof KEPT_IN = 'event'): PropertyDecorator {
  return applyDecorators(
    TextField({
      description: `Why; kept ${KEPT_IN[keptIn]}. No blanks only, and nothing that steers what shows it.`,
      max: 1_000,
      optional: true,
    }),
    ValidateBy({
      name: 'isReadableReason',
      validator: {
        validate: (value) => faultOf(value) === undefined,
        defaultMessage: (of) => faultOf(of?.value) ?? '',
      },
    }),
  );
}

function faultOf(value: unknown): string | undefined {
  return typeof value === 'string' ? reasonFault(value) : undefined;
}

/** The body of a command that needs nothing but, perhaps, a reason. */
export class ReasonBody {
  @ReasonField()
  readonly reason?: string;
}

/** The reason as commands carry it. */
export function because({ reason }: { readonly reason?: string }): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}
