import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/** The index of the handler's argument of a kind, e.g. with `@Query()`; undefined when it takes none. Nest keeps the arguments by `<kind>:<index>`. */
export function argumentOf(context: ExecutionContext, kind: RouteParamtypes): number | undefined {
  const taken: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name);
  const key = Object.keys(taken ?? {}).find((one) => one.startsWith(`${kind}:`));
  return key === undefined ? undefined : Number(key.split(':')[1]);
}
