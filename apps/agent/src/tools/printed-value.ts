import { element } from '@systole/cib';
import { type Answer, blocks } from './output-format.js';
import { EXIT, ToolFailure } from './tool.js';

/** A value as `crm_attribute` and its kin print it. @throws {ToolFailure} where there is none */
export function printValue(scope: string, name: string, found: string | undefined, quiet: boolean): Answer {
  if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, 'Error performing operation: No such device or address');
  const xml = blocks(element('attribute', { name, value: found, scope }));
  return { stdout: quiet ? `${found}\n` : `scope=${scope}  name=${name} value=${found}\n`, stderr: '', exitCode: EXIT.OK, xml };
}
