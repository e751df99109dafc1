/** Where `@ApiOperation` keeps what it was given. */
const OPERATION = 'swagger/apiOperation';

/** The id of the operation that a handler serves, as its `@ApiOperation` gives it. */
export function operationIdOf(handler: object): string | undefined {
  const operation: unknown = Reflect.getMetadata(OPERATION, handler);
  if (typeof operation !== 'object' || operation === null || !('operationId' in operation)) return undefined;
  return typeof operation.operationId === 'string' ? operation.operationId : undefined;
}
