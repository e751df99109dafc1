/**
 * The options of a fence agent run as it reads them from standard input: one `name=value` a line (fence-agents' API, "Agent Operations
 * and Return Values"). Names that start with `pcmk_` are the cluster's own settings of the device and not passed on; a line break in a value
 * would start another option and is refused.
 * @throws {FenceOptionError}
 */
export function fenceInput(action: string, parameters: Readonly<Record<string, string>>): string {
  const lines = Object.entries(parameters)
    .filter(([name]) => !name.startsWith('pcmk_') && !name.startsWith('CRM_meta_') && name !== 'crm_feature_set' && name !== 'action')
    .map(([name, value]) => {
      if (/[\n\r]/.test(value))
        throw new FenceOptionError(`parameter ${name} of the fence device contains a line break; fence agents can't take one`);
      return `${name}=${value}\n`;
    });
  return `${lines.join('')}action=${action}\n`;
}

/** A parameter can't be given to a fence agent. */
export class FenceOptionError extends Error {
  override readonly name = 'FenceOptionError';
}

/**
 * Parameters with the target in them: `nodename`, and the host argument (`pcmk_host_argument`, default `plug`) unless the device already has
 * one, or says `none`. Parameters that name the node are complete: a server has applied these rules and `pcmk_host_map`.
 */
export function withTarget(parameters: Readonly<Record<string, string>>, target: string): Readonly<Record<string, string>> {
  if (parameters['nodename'] !== undefined) return parameters;
  const argument = parameters['pcmk_host_argument'] ?? 'plug';
  const given = parameters['plug'] !== undefined || parameters['port'] !== undefined || parameters[argument] !== undefined;
  return {
    nodename: target,
    ...parameters,
    ...(argument === 'none' || given ? {} : { [argument]: target }),
  };
}
