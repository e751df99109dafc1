import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { carriable } from '@systole/protocol';

/**
 * Makes what an agent sends fit for the event store and the CIB. An agent replaces itself what can't be stored, but whatever it sends is a fact that has
 * to be recorded: refusing a result for a character in its text would have it sent for ever.
 */
@Injectable()
export class CarriableTextPipe implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    return type === 'body' ? carriable(value) : value;
  }
}
