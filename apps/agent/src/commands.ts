/** What the program does besides running the agent, by the first word of its command line. Each is loaded when it is asked for. */
export const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly run: (args: readonly string[]) => Promise<number> }>> =
  {
    test: {
      summary: 'try a resource agent as its standard demands',
      run: async (args) => (await import('./trial/test-command.js')).testCommand(args),
    },
  };
