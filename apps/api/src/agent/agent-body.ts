import { applyDecorators, Body, type PipeTransform } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import { ProtocolError, schemaReference, type MessageName } from '@systole/protocol';
import { HttpProblem } from '../http/problem.js';

/** @throws {ProtocolError} */
type BodyParser = (body: unknown) => object;

const PARSER = 'systole:agent-body';

/**
 * The body of an agent's request, as the protocol reads it.
 * @param parse throws {@link ProtocolError}; then the request is refused with 422 and a JSON pointer for each wrong place
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

/** Reads a body. @throws {HttpProblem} 422 */
export function parsedBody(parse: BodyParser, value: unknown): object {
  try {
    return parse(value);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new HttpProblem(422, 'invalid-request', error.message, { errors: error.faults });
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
