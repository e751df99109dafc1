import { EXIT, ToolFailure, type ToolCall } from './tool.js';

/**
 * The file that a shadow copy is kept in. Its directory is the caller's own, whose client says it (`CIB_shadow_dir`).
 *
 * @throws {ToolFailure} for what is no name of one
 */
export function shadowFile({ env }: Pick<ToolCall, 'env'>, name: string): string {
  const { CIB_shadow_dir: directory = '' } = env;
  if (name === '' || name.includes('/')) throw new ToolFailure(EXIT.USAGE, `'${name}' is no name of a shadow copy: it has no slashes`);
  if (directory === '') throw new ToolFailure(EXIT.UNIMPLEMENTED, 'it is not known where shadow copies are: say it by CIB_shadow_dir');
  return `${directory}/shadow.${name}`;
}
