import { applyDecorators, Body, type PipeTransform } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import { carriable, ProtocolError, schemaReference, type MessageName } from '@systole/protocol';
import { HttpProblem, MORE_ERRORS } from '../http/problem.js';

/** @throws {ProtocolError} */
type BodyParser = (body: unknown) => object;

const PARSER = 'systole:agent-body';

/**
 * The body of an agent's request, as the protocol reads it.
 * @param parse throws {@link ProtocolError}; then the request is refused with 422 and JSON pointers to the first wrong places
 */
export function AgentBody(parse: BodyParser): ParameterDecorator {
  const body = Body(new ProtocolPipe(parse));
  return (target, method, index) => {
    body(target, method, index);
    if (method !== undefined) Reflect.defineMetadata(PARSER, parse, target, method);
  };
}

/** How the body of a handler's request is read; undefined when it takes none of an agent. */
export function bodyParserOf(controller: object, method: string): BodyParser | undefined {
  return Reflect.getMetadata(PARSER, controller, method) as BodyParser | undefined;
}

/**
 * Reads a body, and makes it fit for the event store and the CIB. An agent replaces itself what can't be stored, but whatever it sends is a fact that has to be
 * recorded: refusing a result for a character in its text would have it sent for ever.
 *
 * @throws {HttpProblem} 422
 */
export function parsedBody(parse: BodyParser, value: unknown): object {
  try {
    return carriable(parse(value));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new HttpProblem(422, 'invalid-request', error.message, {
      errors: error.faults,
      ...(error.more ? { extensions: MORE_ERRORS } : {}),
    });
  }
}

class ProtocolPipe implements PipeTransform {
  constructor(private readonly parse: BodyParser) {}

  transform(value: unknown): object {
    return parsedBody(this.parse, value);
  }
}

/** Says in the API's description which messages of the protocol are asked and answered. */
export function ApiMessages(request: MessageName, answer?: MessageName): MethodDecorator {
  return applyDecorators(
    ApiBody({ schema: { $ref: schemaReference(request) } }),
    ApiOkResponse({ schema: answer === undefined ? { type: 'object' } : { $ref: schemaReference(answer) } }),
  );
}
