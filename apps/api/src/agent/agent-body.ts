import { applyDecorators, Body, type PipeTransform } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import { ProtocolError, schemaReference, type MessageName } from '@systole/protocol';
import { HttpProblem } from '../http/problem.js';

/**
 * The body of an agent's request, as the protocol reads it.
 * @param parse throws {@link ProtocolError}; then the request is refused with 422 and a JSON pointer for each wrong place
 */
export function AgentBody(parse: (body: unknown) => object): ParameterDecorator {
  return Body(new ProtocolPipe(parse));
}

class ProtocolPipe implements PipeTransform {
  constructor(private readonly parse: (body: unknown) => object) {}

  transform(value: unknown): object {
    try {
      return this.parse(value);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      throw new HttpProblem(422, 'invalid-request', error.message, { errors: error.faults });
    }
  }
}

/** Says in the API's description which messages of the protocol are asked and answered. */
export function ApiMessages(request: MessageName, answer?: MessageName): MethodDecorator {
  return applyDecorators(
    ApiBody({ schema: { $ref: schemaReference(request) } }),
    ApiOkResponse({ schema: answer === undefined ? { type: 'object' } : { $ref: schemaReference(answer) } }),
  );
}
