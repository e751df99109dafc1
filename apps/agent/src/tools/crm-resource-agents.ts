import { element } from '@systole/cib';
import { installedAgents, SYSTEM_AGENT_DIRECTORIES } from '@systole/ocf';
import { agentText } from './agent-text.js';
import type { ParsedArguments } from './arguments.js';
import { type Answer, cdata, listBlock, textBlock, textElement } from './output-format.js';
import { EXIT, ToolFailure, type ToolCall } from './tool.js';

type Options = ParsedArguments['options'];

const ok = (stdout: string, ...xml: readonly string[]): Answer => ({ stdout, stderr: '', exitCode: EXIT.OK, xml });

const STANDARDS = ['ocf', 'lsb', 'service', 'systemd', 'stonith'];

/** What needs no cluster: the agents of this machine. */
export async function agentAnswer(options: Options, call: ToolCall): Promise<Answer | undefined> {
  const { standards, providers, alternatives, agents, metadata } = options;
  if (standards !== undefined) {
    const items = STANDARDS.map((text) => ({ text }));
    return ok(lines(STANDARDS), listBlock('standards', items));
  }
  if (metadata !== undefined) {
    const text = await metadataOf(metadata, call);
    return ok(text, `  <metadata>${cdata(text)}</metadata>\n`);
  }
  if (providers === undefined && alternatives === undefined && agents === undefined) return undefined;
  const installed = await installedAgents(SYSTEM_AGENT_DIRECTORIES);
  if (agents !== undefined) {
    const [standard = '', provider] = agents.split(':');
    const found = installed.filter((one) => one.class === standard && (provider === undefined || one.provider === provider));
    if (found.length === 0)
      throw new ToolFailure(
        EXIT.ERROR,
        `No agents found for standard '${standard}'${provider === undefined ? '' : ` and provider '${provider}'`}\nError performing operation: Error occurred`,
      );
    const types = found.map(({ type }) => type);
    const holder = element('agents', { standard, ...(provider === undefined ? {} : { provider }) });
    return ok(lines(types), textBlock(holder, elementsOf('agent', types)));
  }
  const type = alternatives ?? (providers === '' ? undefined : providers);
  const ofType = installed.filter((one) => one.class === 'ocf' && (type === undefined || one.type === type));
  const names = [...new Set(ofType.flatMap(({ provider }) => provider ?? []))].sort();
  const holder = element('providers', type === undefined ? { standard: 'ocf' } : { for: type });
  return ok(lines(names), textBlock(holder, elementsOf('provider', names)));
}

async function metadataOf(name: string, call: ToolCall): Promise<string> {
  const text = await agentText(name, call);
  if (text === undefined)
    throw new ToolFailure(
      EXIT.NO_SUCH,
      `Metadata query for ${name} failed: No such device or address\nError performing operation: No such object`,
    );
  return text;
}

const lines = (items: readonly string[]): string => items.map((item) => `${item}\n`).join('');

const elementsOf = (name: string, texts: readonly string[]): readonly string[] => texts.map((text) => textElement(name, {}, text));
