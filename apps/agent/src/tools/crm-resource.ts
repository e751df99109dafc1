import { printableLine } from '@systole/protocol';
import { type ParsedArguments, refuseSeveral } from './arguments.js';
import { CibView } from './cib-view.js';
import { constraintLines, constraintsElement } from './constraints-of.js';
import { agentAnswer } from './crm-resource-agents.js';
import { digestAnswer } from './crm-resource-digests.js';
import { COMMANDS, CRM_RESOURCE } from './crm-resource-options.js';
import { pendingActions, settle } from './monitor/settling.js';
import { performMonitor } from './monitor/tasks.js';
import type { ResourceQuestion } from './monitor/resource-questions.js';
import { type Answer, blocks, inFormats, isInXml, listBlock } from './output-format.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';
import { writeAsked } from './writes/crm-resource.js';
import { patienceIn } from './writes/restart.js';

const ok = (stdout: string): ToolResult => ({ stdout, stderr: '', exitCode: EXIT.OK });

type Options = ParsedArguments['options'];

/** `crm_resource`: what it asks and what it has done. Without a command it lists the resources. */
export const crmResource = inFormats(CRM_RESOURCE, resourceAnswer);

async function resourceAnswer(parsed: ParsedArguments, call: ToolCall, cluster: ToolCluster): Promise<Answer> {
  const { options, operands } = parsed;
  if (operands.length > 0 && options['digests'] === undefined)
    throw new ToolFailure(
      EXIT.USAGE,
      `non-option ARGV-elements:\n${operands.map((one, at) => `[${String(at + 1)} of ${String(operands.length)}] ${one}`).join('\n')}`,
    );
  refuseSeveral(CRM_RESOURCE, parsed, COMMANDS);
  const write = writeAsked(parsed);
  if (write !== undefined) return write(parsed, call, cluster);
  if (options['wait'] !== undefined) return atRest(patienceIn(parsed), call, cluster);
  const ofAgents = await agentAnswer(options, call);
  if (ofAgents !== undefined) return ofAgents;
  if (options['names'] !== undefined) return ask({ about: 'names' }, parsed, call, cluster);
  if (options['digests'] !== undefined) return digestAnswer(parsed, cluster);
  const { node } = options;
  const where = node === undefined ? {} : { node };
  if (options['why'] !== undefined) return ask({ about: 'why', ...where, ...resourceIn(options) }, parsed, call, cluster);
  if (options['operations'] !== undefined || options['allOperations'] !== undefined) {
    return ask(
      { about: 'operations', isAll: options['allOperations'] !== undefined, ...where, ...resourceIn(options) },
      parsed,
      call,
      cluster,
    );
  }
  const { resource, get, ownProperty: property } = options;
  const isOfOne = ['get', 'ownProperty', 'locate', 'xml', 'rawXml', 'constraints'].some((name) => options[name] !== undefined);
  if (!isOfOne) return ask({ about: 'list' }, parsed, call, cluster);
  if (resource === undefined) throw new ToolFailure(EXIT.USAGE, 'Must supply a resource id with -r');
  if (options['locate'] !== undefined)
    return ask({ about: 'locate', resource, isQuiet: options['quiet'] !== undefined }, parsed, call, cluster);
  if (options['xml'] !== undefined || options['rawXml'] !== undefined) return ask({ about: 'definition', resource }, parsed, call, cluster);
  const view = CibView.parse(await cluster.cib());
  const configured = view.configured(resource);
  if (configured === undefined) throw unknown(resource);
  if (get !== undefined) {
    const set =
      options['meta'] !== undefined ? 'meta_attributes' : options['utilization'] !== undefined ? 'utilization' : 'instance_attributes';
    const found = view.resourceAttribute(resource, set, get, node ?? cluster.node);
    if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, `Attribute '${get}' not found for '${resource}'`);
    return { ...ok(`${found}\n`), xml: [listBlock('attributes', [{ name: get, text: found }])] };
  }
  if (property !== undefined) {
    const found = configured.element.attributes[property];
    if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, `Attribute '${property}' not found for '${resource}'`);
    return { ...ok(`${found}\n`), xml: [listBlock('properties', [{ name: property, text: found }])] };
  }
  const constraints = view.section('constraints');
  const lines = constraintLines(constraints, configured).map((line) => `${printableLine(line)}\n`);
  return { ...ok(lines.join('')), xml: blocks(constraintsElement(constraints, configured)) };
}

/** `--wait`: until nothing is left to be done. What waits for something else than the cluster, such as a time, is nothing to be done. */
async function atRest(patienceMs: number, call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const isAtRest = await settle(async () => (await pendingActions(cluster)).length === 0, patienceMs, call);
  if (isAtRest) return ok('');
  const left = await pendingActions(cluster);
  const list = left.map((one) => `  * ${one}\n`).join('');
  return {
    stdout: '',
    stderr: `Pending actions:\n${list}crm_resource: Error performing operation: Timer expired\n`,
    exitCode: EXIT.TIMEOUT,
  };
}

function resourceIn({ resource }: Options): { readonly resource?: string } {
  return resource === undefined ? {} : { resource };
}

function unknown(resource: string): ToolFailure {
  return new ToolFailure(EXIT.NO_SUCH, `Resource '${resource}' not found\nError performing operation: No such object`);
}

async function ask(question: ResourceQuestion, parsed: ParsedArguments, call: ToolCall, cluster: ToolCluster): Promise<Answer> {
  const task = {
    ...{ cib: await cluster.cib(), now: Math.floor(Date.now() / 1_000) },
    ...{ request: ['crm_resource', ...call.args].join(' '), form: { kind: 'resources', question, inXml: isInXml(parsed) } as const },
  };
  const { text, xml, isUnknown } = cluster.monitor === undefined ? performMonitor(task) : await cluster.monitor(task);
  if (isUnknown === true && 'resource' in question) throw unknown(question.resource ?? '');
  return { ...ok(text), ...(xml === undefined ? {} : { xml }) };
}
