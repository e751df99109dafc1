import type { AgentAction, AgentMetadata, AgentParameter } from '@systole/ocf';
import { beginningOf, carriable, LIMITS, type DescribedAgent, type DescribedParameter } from '@systole/protocol';

/** Characters of all that is sent of one agent: a request may have twice as many bytes. */
const MOST_CHARS = LIMITS.requestBytes / 2;

/**
 * Meta-data within the bounds of the protocol: what is too long is cut, what is too much is left out, the long descriptions before anything else. Parts without a name say nothing.
 */
export function describedAgent(metadata: AgentMetadata): DescribedAgent {
  const whole = described(metadata, LIMITS.descriptionChars);
  if (JSON.stringify(whole).length <= MOST_CHARS) return whole;
  const short = described(metadata, 256);
  return JSON.stringify(short).length <= MOST_CHARS ? short : { ...short, parameters: [], actions: [] };
}

function described(metadata: AgentMetadata, chars: number): DescribedAgent {
  const { name, version, apiVersion } = metadata;
  return carriable({
    name: beginningOf(name, LIMITS.agentNameChars),
    ...cut('version', version, LIMITS.nameChars),
    ...cut('apiVersion', apiVersion, LIMITS.nameChars),
    ...descriptions(metadata, chars),
    parameters: metadata.parameters
      .filter(isNamed)
      .slice(0, LIMITS.agentParts)
      .map((parameter) => parameterOf(parameter, chars)),
    actions: metadata.actions.filter(isNamed).slice(0, LIMITS.agentParts).map(actionOf),
  });
}

function parameterOf(parameter: AgentParameter, chars: number): DescribedParameter {
  const { name, required, reloadable, deprecated, type, options } = parameter;
  return {
    ...{ name, required, reloadable, deprecated, type: beginningOf(type, LIMITS.agentNameChars) || 'string' },
    ...(parameter.private ? { private: true } : {}),
    ...named('uniqueGroup', parameter.uniqueGroup),
    ...named('obsoletes', parameter.obsoletes),
    ...cut('default', parameter.default, LIMITS.descriptionChars),
    options: options.slice(0, LIMITS.agentParts).map((option) => beginningOf(option, LIMITS.nameChars)),
    ...descriptions(parameter, chars),
  };
}

function actionOf({
  name,
  timeoutMs,
  intervalMs,
  startDelayMs,
  role,
  depth,
  automatic,
  onTarget,
}: AgentAction): DescribedAgent['actions'][number] {
  return {
    ...{ name, automatic, onTarget },
    ...duration('timeoutMs', timeoutMs),
    ...duration('intervalMs', intervalMs),
    ...duration('startDelayMs', startDelayMs),
    ...named('role', role),
    ...named('depth', depth),
  };
}

/** A name that is cut is another one. */
function isNamed({ name }: { readonly name: string }): boolean {
  return name !== '' && name.length <= LIMITS.agentNameChars;
}

function descriptions(
  { shortDescription, longDescription }: Pick<AgentMetadata, 'shortDescription' | 'longDescription'>,
  chars: number,
): Pick<DescribedAgent, 'shortDescription' | 'longDescription'> {
  return { ...cut('shortDescription', shortDescription, chars), ...cut('longDescription', longDescription, chars) };
}

function cut<K extends string>(field: K, text: string | undefined, chars: number): Partial<Record<K, string>> {
  return text === undefined ? {} : ({ [field]: beginningOf(text, chars) } as Record<K, string>);
}

function named<K extends string>(field: K, text: string | undefined): Partial<Record<K, string>> {
  return text === undefined || text === '' ? {} : cut(field, text, LIMITS.agentNameChars);
}

function duration<K extends string>(field: K, ms: number | undefined): Partial<Record<K, number>> {
  return ms === undefined || ms > LIMITS.durationMs ? {} : ({ [field]: ms } as Record<K, number>);
}
