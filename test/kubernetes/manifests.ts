import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '@systole/examples';
import { parseAllDocuments } from 'yaml';

/** A document of a manifest, as far as all have it in common. */
export interface Manifest {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  /** The whole of it. */
  readonly document: Readonly<Record<string, unknown>>;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env: readonly EnvironmentVariable[];
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly securityContext: object;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

/** What runs pods. */
export interface Workload {
  readonly spec: {
    readonly selector?: { readonly matchLabels: Labels };
    readonly template: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: {
        readonly serviceAccountName: string;
        readonly automountServiceAccountToken: boolean;
        readonly securityContext: object;
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
      };
    };
  };
}

export type Labels = Readonly<Record<string, string>>;

const DIRECTORY = join(checkout, 'deploy/kubernetes');

/** Names of the files, `kustomization.yaml` left out. */
export function manifestFiles(): readonly string[] {
  return readdirSync(DIRECTORY)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .sort();
}

/** Names of the files that `kustomization.yaml` takes. */
export function takenFiles(): readonly string[] {
  const [{ resources } = { resources: [] }] = documentsOf('kustomization.yaml') as readonly { readonly resources: readonly string[] }[];
  return [...resources].sort();
}

/** All documents of all files. */
export function manifests(): readonly Manifest[] {
  return manifestFiles().flatMap((file) =>
    documentsOf(file).map((document) => ({ file, document, ...(document as Omit<Manifest, 'file' | 'document'>) })),
  );
}

/** @throws {Error} when there is none */
export function workload(kind: 'Deployment' | 'Job', name: string): Workload {
  const found = manifests().find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`deploy/kubernetes has no ${kind} ${name}`);
  return found.document as unknown as Workload;
}

/** @throws {Error} for what is no YAML, or says something twice */
function documentsOf(file: string): readonly Readonly<Record<string, unknown>>[] {
  return parseAllDocuments(readFileSync(join(DIRECTORY, file), 'utf8')).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as Readonly<Record<string, unknown>>;
  });
}
