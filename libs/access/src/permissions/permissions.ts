import type { OperatorRole } from '../tokens/access-tokens.js';

/**
 * What a permission is about: one cluster, which the path names; whatever clusters there are for the one who asks; nothing that belongs to anybody; or the
 * server itself, for which rights in some clusters are not enough.
 */
export type Reach = 'cluster' | 'own clusters' | 'no cluster' | 'server';

/** What may be done by whom: operations of the API by their ids in the OpenAPI document. */
export interface Permission {
  readonly what: string;
  /** The least role that may; roles include those below them. Or: the agent of a node, about itself; or everyone, without a token. */
  readonly who: OperatorRole | 'agent' | 'everyone';
  readonly reach: Reach;
  readonly operations: readonly string[];
}

/** Who may do what: all of it. An operation that is missing here is for administrators of the server: forgetting opens nothing. */
export const PERMISSIONS: readonly Permission[] = [
  {
    what: 'See whether the server lives, and its metrics',
    who: 'everyone',
    reach: 'no cluster',
    operations: ['live', 'ready', 'readyForOperators', 'metrics'],
  },
  {
    what: 'See which clusters there are',
    who: 'viewer',
    reach: 'own clusters',
    operations: ['listClusters'],
  },
  {
    what: 'Follow what happens in them',
    who: 'viewer',
    reach: 'own clusters',
    operations: ['streamAllEvents'],
  },
  {
    what: 'Look up what a configuration may hold, and plan for a CIB that is brought along',
    who: 'viewer',
    reach: 'no cluster',
    operations: [
      'listAlertMetaAttributes',
      'listClusterOptions',
      'listConstraintAttributes',
      'listFenceDeviceParameters',
      'listNodeAttributeNames',
      'listOperationAttributes',
      'listResourceMetaAttributes',
      'simulate',
    ],
  },
  {
    what: 'See what a cluster is and does',
    who: 'viewer',
    reach: 'cluster',
    operations: [
      'getCluster',
      'getStatus',
      'getClusterMetrics',
      'getFencing',
      'listNodes',
      'getNode',
      'listNodeAttributes',
      'getNodeAttribute',
      'listNodeUtilization',
      'getNodeUtilization',
      'listFailCounts',
      'listTickets',
      'getExplanation',
      'tryLosses',
      'whatIf',
      'listAgents',
      'getAgent',
    ],
  },
  {
    what: 'Read its configuration',
    who: 'viewer',
    reach: 'cluster',
    operations: [
      'getCib',
      'getConfiguration',
      'getProperties',
      'getRscDefaults',
      'getOpDefaults',
      'listElements',
      'getElement',
      'diffConfigurations',
      'listSecrets',
      'getSecret',
    ],
  },
  {
    what: 'Read its past: events, transitions',
    who: 'viewer',
    reach: 'cluster',
    operations: [
      'listEvents',
      'getEvent',
      'exportEvents',
      'streamEvents',
      'getResourceHistory',
      'listAlertRuns',
      'listTransitions',
      'getTransition',
      'getTransitionDot',
      'explainTransition',
      'replayTransition',
    ],
  },
  {
    what: 'Change its configuration',
    who: 'operator',
    reach: 'cluster',
    operations: [
      'replaceCib',
      'replaceConfiguration',
      'patchConfiguration',
      'editConfiguration',
      'restoreConfiguration',
      'replaceProperties',
      'patchProperties',
      'replaceRscDefaults',
      'patchRscDefaults',
      'replaceOpDefaults',
      'patchOpDefaults',
      'createElement',
      'replaceElement',
      'patchElement',
      'deleteElement',
      'moveElement',
      'eraseSecret',
    ],
  },
  {
    what: 'Give commands about the whole cluster, its transitions and its tickets',
    who: 'operator',
    reach: 'cluster',
    operations: [
      'maintainCluster',
      'unmaintainCluster',
      'standbyNodes',
      'unstandbyNodes',
      'maintainNodes',
      'unmaintainNodes',
      'cleanUpResources',
      'refreshResources',
      'grantTicket',
      'revokeTicket',
      'standbyTicket',
      'unstandbyTicket',
      'cleanUpTicket',
      'stopAllResources',
      'startAllResources',
      'relocateResources',
      'abortTransition',
    ],
  },
  {
    what: "Have written what Pacemaker's command-line tools ask for: configuration, resources, nodes, tickets",
    who: 'operator',
    reach: 'cluster',
    operations: ['requestByTool'],
  },
  {
    what: 'Give commands about nodes, fence them and confirm that they are down',
    who: 'operator',
    reach: 'cluster',
    operations: [
      'standbyNode',
      'unstandbyNode',
      'maintainNode',
      'unmaintainNode',
      'fenceNode',
      'confirmNodeDown',
      'allowNodeFencing',
      'clearFencingHistory',
      'removeNode',
      'renameNode',
      'powerOnNode',
      'setNodeAttribute',
      'clearNodeAttribute',
      'setNodeUtilization',
      'clearNodeUtilization',
    ],
  },
  {
    what: 'Give commands about resources',
    who: 'operator',
    reach: 'cluster',
    operations: [
      'enableResource',
      'disableResource',
      'promoteResource',
      'demoteResource',
      'manageResource',
      'unmanageResource',
      'maintainResource',
      'unmaintainResource',
      'moveResource',
      'banResource',
      'clearResource',
      'restartResource',
      'debugResource',
      'renameResource',
      'cleanUpResource',
      'refreshResource',
      'relocateResource',
      'clearFailCounts',
    ],
  },
  {
    what: 'Delete a cluster',
    who: 'admin',
    reach: 'cluster',
    operations: ['deleteCluster', 'cancelClusterDeletion'],
  },
  {
    what: 'Have the programs of alerts run to try them',
    who: 'operator',
    reach: 'cluster',
    operations: ['testAlert'],
  },
  {
    what: 'Make clusters, and say who may do what',
    who: 'admin',
    reach: 'server',
    operations: ['createCluster', 'createToken', 'listTokens', 'getToken', 'revokeToken'],
  },
  {
    what: 'See what was done on the server, by whom, and take evidence of it away',
    who: 'admin',
    reach: 'server',
    operations: ['listAudit', 'exportAudit', 'listSignedHeads', 'exportEvidence'],
  },
  {
    what: 'Say whom events are sent to (webhooks)',
    who: 'admin',
    reach: 'server',
    operations: [
      'createWebhook',
      'listWebhooks',
      'getWebhook',
      'changeWebhook',
      'deleteWebhook',
      'rotateWebhookSecret',
      'testWebhook',
      'listWebhookDeliveries',
      'getWebhookDelivery',
      'redeliverWebhook',
    ],
  },
  {
    what: 'Be the agent of a node',
    who: 'agent',
    reach: 'cluster',
    operations: [
      'agentJoin',
      'agentPoll',
      'agentResults',
      'agentAttributes',
      'agentToolRequest',
      'agentReadAttributes',
      'agentPrivateAttributes',
      'agentFencing',
      'agentCib',
      'agentShutdown',
      'agentLeave',
      'agentInstalledAgents',
      'agentDescribe',
      'agentAlerts',
      'agentGuestToken',
    ],
  },
];

const UNNAMED: Permission = { what: '', who: 'admin', reach: 'server', operations: [] };

const BY_OPERATION: ReadonlyMap<string, Permission> = new Map(
  PERMISSIONS.flatMap((permission) => permission.operations.map((operation) => [operation, permission] as const)),
);

/** Who may do it. @param operation its id in the OpenAPI document */
export function permissionFor(operation: string): Permission {
  return BY_OPERATION.get(operation) ?? UNNAMED;
}
