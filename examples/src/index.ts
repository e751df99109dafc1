export { agentProgram } from './agent-program.js';
export { checkout } from './checkout.js';
export { DemoCluster, NODE_NAMES, type DemoClusterOptions, type DemoEvent } from './demo-cluster.js';
export { agentCommand, DemoNode, hasMountNamespaces, type AgentCommandOptions, type DemoNodeOptions } from './demo-node.js';
export { Rebooting } from './rebooting.js';
export { runScript, STEP_COUNT, type Verdict } from './script.js';
