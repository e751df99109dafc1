import { OCF } from '../outcome/return-codes.js';

/** The argument that an init script understands for an operation. */
export function lsbAction(operation: string): string {
  return operation === 'monitor' ? 'status' : operation;
}

/**
 * Exit code of an init script as an OCF code. For `status` the LSB has its own table (0 running, 1 and 2 dead with pid or lock file left,
 * 3 not running, 4 unknown); for other actions its codes up to 7 mean what OCF's mean (LSB Core 5.0, "Init Script Actions").
 */
export function lsbToOcf(operation: string, code: number): number {
  if (operation === 'monitor') {
    if (code === 0) return OCF.SUCCESS;
    return code >= 1 && code <= 3 ? OCF.NOT_RUNNING : OCF.ERR_GENERIC;
  }
  return code >= 0 && code <= 7 ? code : OCF.ERR_GENERIC;
}

/** What an exit code of an init script says that OCF has no code for; undefined where there is nothing to add. */
export function lsbReason(operation: string, code: number): string | undefined {
  const said = `the init script answered ${operation === 'monitor' ? 'status' : operation} with ${String(code)}`;
  if (operation === 'monitor') {
    if (code === 1) return 'dead, and its pid file is left';
    if (code === 2) return 'dead, and its lock file is left';
    if (code === 4) return 'the init script does not know whether it runs';
    return code > 4 ? `${said}, which the LSB does not know` : undefined;
  }
  return code > 7 ? `${said}, which the LSB does not know` : undefined;
}
