/** What the program can do besides running the agent. */
export interface AgentCommand {
  readonly summary: string;
  /** @param args what follows its name @returns how the process ends */
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** By the first word of the command line; each is loaded when it is asked for. */
export const COMMANDS: Readonly<Record<string, AgentCommand>> = {
  test: {
    summary: 'try a resource agent as its standard demands',
    run: async (args) => (await import('./trial/test-command.js')).testCommand(args),
  },
  install: {
    summary: 'install this package as a service of systemd',
    run: async (args) => (await import('./install/install-command.js')).installCommand(args),
  },
  restart: {
    summary: 'restart the agent of this machine; what it runs runs on',
    run: async (args) => (await import('./install/restart-command.js')).restartCommand(args),
  },
  leave: {
    summary: 'leave the cluster, its resources stopped',
    run: async (args) => (await import('./install/leave-command.js')).leaveCommand(args),
  },
  uninstall: {
    summary: 'leave the cluster, and remove the agent',
    run: async (args) => (await import('./install/uninstall-command.js')).uninstallCommand(args),
  },
};
