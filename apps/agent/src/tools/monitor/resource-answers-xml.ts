import { element, serializeXml, type XmlElement } from '@systole/cib';
import type { Cluster } from '@systole/scheduler';
import { monitorHistory, monitorResource, monitorResources } from '@systole/simulator';
import { blocks, cdata, listBlock, textBlock, textElement } from '../output-format.js';
import { named, placesOf, reasonsFor, type Reasons, type ResourceQuestion, written } from './resource-questions.js';

/** What `crm_resource` asks of a cluster's state, in XML. The resource is there. */
export function xmlAnswerTo(cluster: Cluster, question: ResourceQuestion): readonly string[] {
  switch (question.about) {
    case 'names': {
      const names = [...cluster.primitives()].map(({ id }) => ({ name: 'resource', text: id }));
      return [listBlock('resource names', names)];
    }
    case 'list':
      return blocks(monitorResources(cluster));
    case 'locate': {
      const places = placesOf(named(cluster, question.resource));
      const nodes = places.map(({ node, isPromoted }) => textElement('node', isPromoted ? { state: 'promoted' } : {}, node.name));
      return [textBlock(element('nodes', { resource: question.resource }), nodes)];
    }
    case 'definition': {
      const [first] = named(cluster, question.resource);
      if (first === undefined) return [];
      const shown = serializeXml(monitorResource(first), '    ');
      return [`  <resource_config>\n${shown}    <xml>${cdata(serializeXml(written(cluster, first)))}</xml>\n  </resource_config>\n`];
    }
    case 'operations': {
      const { resource, node } = question;
      const ids =
        resource === undefined ? undefined : new Set(named(cluster, resource).flatMap(({ id, xmlId, knownAs }) => [id, xmlId, knownAs]));
      return blocks(
        monitorHistory(
          cluster,
          (name) => node === undefined || name === node,
          (id) => ids?.has(id) !== false,
        ),
      );
    }
    case 'why':
      return blocks(whyElement(reasonsFor(cluster, question), question));
    case 'active':
      return [];
  }
}

function whyElement(all: readonly Reasons[], { resource, node }: Extract<ResourceQuestion, { about: 'why' }>): XmlElement {
  const [only] = all;
  const host = node === undefined ? {} : { host: node };
  if (resource !== undefined && only !== undefined)
    return element('reason', { running: String(only.isRunning), ...host }, [checkElement(only)]);
  const resources = all.map((one) => element('resource', { id: one.name, running: String(one.isRunning), ...host }, [checkElement(one)]));
  return element('reason', {}, [element('resources', {}, resources)]);
}

function checkElement({ name, remainsStopped, isUnmanaged, isBlocked }: Reasons): XmlElement {
  return element('check', {
    id: name,
    ...(remainsStopped ? { remain_stopped: 'true' } : {}),
    ...(isUnmanaged ? { unmanaged: 'true' } : {}),
    ...(isBlocked ? { blocked: 'true' } : {}),
  });
}
