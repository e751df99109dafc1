import { countedParameters, element, parameterDigest, restartParameters, secureParameters } from '@systole/cib';
import type { ParsedArguments } from './arguments.js';
import { CibView } from './cib-view.js';
import { type Answer, blocks } from './output-format.js';
import { EXIT, ToolFailure, type ToolCluster } from './tool.js';

/** Of which operation the digests are: it has no interval, so that all parameters are the resource's. */
const TASK = 'start';

const KINDS = { all: 'all parameters', nonprivate: 'non-private parameters', nonreloadable: 'non-reloadable parameters' } as const;

type Kind = keyof typeof KINDS;

/**
 * `--digests`: what the cluster tells a changed parameter of a resource by. Which parameters are private, and which need no restart, is known where the resource was started on the node.
 *
 * @throws {ToolFailure}
 */
export async function digestAnswer({ options, operands }: ParsedArguments, cluster: ToolCluster): Promise<Answer> {
  const { resource, node } = options;
  if (resource === undefined) throw new ToolFailure(EXIT.USAGE, 'Must supply a resource id with -r');
  if (node === undefined) throw new ToolFailure(EXIT.USAGE, 'Must supply a node name with -N');
  const view = CibView.parse(await cluster.cib());
  const configured = view.configured(resource);
  if (configured === undefined) throw absent('Resource', resource);
  if (!view.nodes().some(({ name }) => name === node)) throw absent('Node', node);
  if (configured.kind !== 'primitive') throw new ToolFailure(EXIT.UNIMPLEMENTED, 'Error performing operation: Unimplemented');
  const given = new Map([...view.parameters(configured, node), ...operands.map(pairIn)]);
  const counted = countedParameters(given);
  const recorded = view.recorded(node, configured.id, TASK, 0);
  const privateNames = recorded?.['op-secure-params'];
  const restart = recorded?.['op-force-restart'];
  const parameters: readonly (readonly [Kind, ReadonlyMap<string, string>])[] = [
    ['all', counted],
    ['nonprivate', secureParameters({ counted, resourceParameters: counted, privateNames, modern: true, fencing: false })],
    ...(restart === undefined ? [] : [['nonreloadable', restartParameters(counted, restart)] as const]),
  ];
  const digests = parameters.map(([type, of]) => ({ type, of, hash: parameterDigest(of) }));
  const xml = element(
    'digests',
    { resource, node, task: TASK, interval: '0ms' },
    digests.map(({ type, of, hash }) => element('digest', { type, hash }, [element('parameters', Object.fromEntries(of))])),
  );
  return {
    stdout: digests.map(({ type, hash }) => `${hash} (${KINDS[type]})\n`).join(''),
    stderr: '',
    exitCode: EXIT.OK,
    xml: blocks(xml),
  };
}

function absent(what: string, name: string): ToolFailure {
  return new ToolFailure(EXIT.NO_SUCH, `${what} '${name}' not found\nError performing operation: No such object`);
}

/** @throws {ToolFailure} for what is no `NAME=VALUE` */
export function pairIn(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new ToolFailure(EXIT.USAGE, `${text} is no NAME=VALUE`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
