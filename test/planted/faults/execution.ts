import type { PlantedFault } from '../fault.js';

/** What runs on the nodes: programs, their output, the agent's journal and lease. */
export const EXECUTION: readonly PlantedFault[] = [
  {
    id: 'text-not-cleaned',
    what: 'an escape that a program prints reaches the CIB and makes it unreadable',
    file: 'libs/protocol/src/text.ts',
    right: 'return code < 0x20 ? String.fromCharCode(CONTROL_PICTURES + code) : REPLACEMENT_CHARACTER;',
    wrong: 'return code < 0x20 ? character : REPLACEMENT_CHARACTER;',
    foundBy: { project: 'unit', file: 'libs/protocol/src/text.unit.spec.ts' },
  },
  {
    id: 'timeout-spares-the-group',
    what: 'a time-out ends the program, but not what it started',
    file: 'libs/ocf/src/process/process-group.ts',
    right: 'process.kill(-group, signal);',
    wrong: 'process.kill(group, signal);',
    foundBy: { project: 'integration', file: 'libs/ocf/src/process/run-process.int.spec.ts' },
  },
  {
    id: 'never-killed',
    what: 'a program that ignores TERM runs on after its time-out',
    file: 'libs/ocf/src/process/process-group.ts',
    right: "signalGroup(group, 'SIGKILL');",
    wrong: "signalGroup(group, 'SIGTERM');",
    foundBy: { project: 'integration', file: 'libs/ocf/src/process/run-process.int.spec.ts' },
  },
  {
    id: 'output-without-bound',
    what: 'a program that prints without end fills the memory of the agent',
    file: 'libs/ocf/src/process/output-tail.ts',
    right: 'while (first !== undefined && this.size - first.length >= this.limit) {',
    wrong: 'while (first !== undefined && this.size - first.length >= Number.POSITIVE_INFINITY) {',
    foundBy: { project: 'unit', file: 'libs/ocf/src/process/output-tail.unit.spec.ts' },
  },
  {
    id: 'agent-that-cannot-start-kills',
    what: 'a program that can not be started is an error nobody expects, and ends the agent',
    file: 'libs/ocf/src/process/run-process.ts',
    right: '    } catch (error) {\n      finish(notStarted(error));\n      return;\n    }',
    wrong: '    } catch (error) {\n      throw error;\n    }',
    foundBy: { project: 'integration', file: 'libs/ocf/src/process/run-process.int.spec.ts' },
  },
  {
    id: 'journal-not-synced',
    what: 'an action is begun before the journal that remembers it is on the disk: after a power cut it is begun again',
    file: 'apps/agent/src/journal/journal.ts',
    right: '        await this.file.datasync();\n',
    wrong: '',
    foundBy: { project: 'integration', file: 'apps/agent/src/journal/journal-sync.int.spec.ts' },
  },
  {
    id: 'fence-device-stop-needs-its-program',
    what: 'the stop of a fence device fails where its program is not installed, and a healthy node is fenced for it',
    file: 'libs/ocf/src/resource-agent/execute.ts',
    right: '  if (stopsFenceDevice(operation)) return nothingToStop();\n',
    wrong: '',
    foundBy: { project: 'integration', file: 'libs/ocf/src/resource-agent/execute.int.spec.ts' },
  },
];
