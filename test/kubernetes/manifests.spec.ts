import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiConfigFrom } from '@systole/api';
import { checkout } from '@systole/examples';
import { MIGRATION_SETTINGS } from '@systole/settings';
import { workerConfigFrom } from '@systole/worker';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { describe, expect, it } from 'vitest';
import { manifestFiles, manifests, takenFiles, workload, type Container, type Labels, type Workload } from './manifests.js';

/** By the schemas of Kubernetes. */
const MODELS = [ConfigMap, Deployment, Job, Namespace, NetworkPolicy, PodDisruptionBudget, Service, ServiceAccount] as const;

const WORKLOADS = [
  ['migrate', workload('Job', 'systole-migrate')],
  ['api', workload('Deployment', 'systole-api')],
  ['worker', workload('Deployment', 'systole-worker')],
] as const;
const SERVERS = [
  ['api', apiConfigFrom, ({ port }: ReturnType<typeof apiConfigFrom>) => port],
  ['worker', workerConfigFrom, ({ healthPort }: ReturnType<typeof workerConfigFrom>) => healthPort],
] as const;

/** What the secrets would hold. */
const SECRETS: Readonly<Record<string, string>> = {
  'systole-database/url': 'postgres://programs:secret@db/systole',
  'systole-redis/url': 'redis://:secret@redis:6379',
  'systole-keys/path': '/run/secrets/systole/keys',
};

function templateOf({ spec }: Workload): Workload['spec']['template'] {
  return spec.template;
}

function containerOf(of: Workload): Container {
  const { containers } = templateOf(of).spec;
  const [only] = containers;
  if (only === undefined || containers.length > 1) throw new Error('a pod has other than one container');
  return only;
}

/** As the program would find it. */
function environmentOf(container: Container): Readonly<Record<string, string>> {
  const settings = manifests().find(({ kind }) => kind === 'ConfigMap')?.document['data'] as Readonly<Record<string, string>>;
  const own = container.env.map(({ name, value, valueFrom }) => {
    const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
    return [name, value ?? SECRETS[`${secret}/${key}`] ?? ''] as const;
  });
  return { ...(container.envFrom === undefined ? {} : settings), ...Object.fromEntries(own) };
}

function selects(selector: Labels, labels: Labels): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}

describe('the manifests for Kubernetes', () => {
  it('are all taken by the kustomization', () => {
    expect(takenFiles()).toEqual(manifestFiles());
  });

  it.each(manifests().map((manifest) => [`${manifest.file}: ${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    'are as Kubernetes has them: %s',
    (_, { apiVersion, kind, metadata, document }) => {
      const Model = MODELS.find((model) => model.apiVersion === apiVersion && model.kind === kind);
      if (Model === undefined) throw new Error(`no schema is known for ${apiVersion} ${kind}`);
      new Model(document).validate();
      expect(kind === 'Namespace' ? metadata.name : metadata.namespace).toBe('systole');
    },
  );

  it.each(SERVERS)('give %s a port at which it listens, and probes that it answers', (name, configFrom, portOf) => {
    const container = containerOf(workload('Deployment', `systole-${name}`));
    const [port] = container.ports ?? [];
    const config = configFrom(environmentOf(container)) as ReturnType<typeof apiConfigFrom> & ReturnType<typeof workerConfigFrom>;
    expect(portOf(config)).toBe(port?.containerPort);
    const paths = [container.startupProbe, container.livenessProbe, container.readinessProbe].map((probe) => probe?.httpGet);
    expect(paths).toEqual(['/health/live', '/health/live', '/health/ready'].map((path) => ({ path, port: port?.name })));
    const answered = readFileSync(join(checkout, name === 'api' ? 'openapi/openapi.json' : 'apps/worker/src/health-server.ts'), 'utf8');
    for (const path of ['/health/live', '/health/ready'])
      expect([path, new RegExp(`["']${path}["']`).test(answered)]).toEqual([path, true]);
    expect(readFileSync(join(checkout, 'deploy/Dockerfile'), 'utf8')).toContain(`EXPOSE ${String(port?.containerPort)}\nCMD`);
  });

  it.each(SERVERS)('set nothing for %s that it does not read', (name, configFrom) => {
    const environment = environmentOf(containerOf(workload('Deployment', `systole-${name}`)));
    const whole = configFrom(environment);
    // LOG_FORMAT is read before the settings are.
    const { LOG_FORMAT: format, ...read } = environment;
    expect(['text', 'json']).toContain(format);
    for (const variable of Object.keys(read)) {
      const without = { ...environment, [variable]: '' };
      if (variable === 'DATABASE_URL') expect(() => configFrom(without)).toThrow(/DATABASE_URL/);
      else expect([variable, configFrom(without)]).not.toEqual([variable, whole]);
    }
  });

  it('set for the migrations what they read', () => {
    expect(containerOf(workload('Job', 'systole-migrate')).env.map(({ name }) => name)).toEqual(Object.keys(MIGRATION_SETTINGS));
  });

  it.each(WORKLOADS)('take the image of %s that the Dockerfile makes', (name, of) => {
    expect(containerOf(of).image).toBe(`systole-${name}`);
    expect(readFileSync(join(checkout, 'deploy/Dockerfile'), 'utf8')).toMatch(new RegExp(`^FROM runtime AS ${name}$`, 'm'));
  });

  it.each(WORKLOADS)('let %s do nothing that it need not, as no account that matters, and hold no secret', (_, of) => {
    const { spec } = templateOf(of);
    const container = containerOf(of);
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources).toMatchObject({
      requests: { cpu: expect.anything() as unknown },
      limits: { memory: expect.anything() as unknown },
    });
    const open = container.env.filter(({ value }) => value !== undefined).map(({ name }) => name);
    expect(open.filter((name) => /URL|PASSWORD|TOKEN|KEY|ROLE/.test(name))).toEqual([]);
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(spec.volumes.map(({ name }) => name));
  });

  it('find keys where they are mounted', () => {
    for (const name of ['api', 'worker']) {
      const mount = containerOf(workload('Deployment', `systole-${name}`)).volumeMounts.find((each) => each.name === 'keys');
      expect(`${mount?.mountPath ?? ''}/keys`).toBe(SECRETS['systole-keys/path']);
    }
  });

  it('select the pods that are meant, each server by its budget, and by its policy of the network with its port', () => {
    for (const name of ['api', 'worker']) {
      const deployment = workload('Deployment', `systole-${name}`);
      const { labels } = templateOf(deployment).metadata;
      const selectorOf = (kind: string): Labels | undefined => {
        const { spec } = manifests().find((each) => each.kind === kind && each.metadata.name === `systole-${name}`)?.document as {
          readonly spec: { readonly selector?: { readonly matchLabels: Labels }; readonly podSelector?: { readonly matchLabels: Labels } };
        };
        return (spec.selector ?? spec.podSelector)?.matchLabels;
      };
      for (const kind of ['Deployment', 'PodDisruptionBudget', 'NetworkPolicy']) {
        const selector = selectorOf(kind) ?? {};
        const selected = WORKLOADS.filter(([, of]) => selects(selector, templateOf(of).metadata.labels)).map(([each]) => each);
        expect([kind, selected]).toEqual([kind, [name]]);
      }
      const policy = manifests().find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === `systole-${name}`)
        ?.document as {
        readonly spec: { readonly ingress: readonly { readonly ports: readonly { readonly port: string }[] }[] };
      };
      expect(policy.spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([containerOf(deployment).ports?.[0]?.name]);
      expect(labels['app.kubernetes.io/part-of']).toBe('systole');
    }
    const service = manifests().find(({ kind }) => kind === 'Service')?.document as { readonly spec: { readonly selector: Labels } };
    expect(WORKLOADS.filter(([, of]) => selects(service.spec.selector, templateOf(of).metadata.labels)).map(([each]) => each)).toEqual([
      'api',
    ]);
  });
});
