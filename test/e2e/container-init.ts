/** Process 1 of containers in which an agent is to be: takes in what daemons leave behind, as an init for containers does, and passes on that the agent is to end. A file `init` of the hosts (`ContainerHostsOptions.files`). */
export const CONTAINER_INIT = `PATH=/opt/systole/bin:$PATH; systole-agent & agent=$!; trap 'kill -TERM $agent' TERM; while kill -0 $agent 2>/dev/null; do wait -n 2>/dev/null || sleep 0.1; done`;

/** What runs it, where the bundle has {@link PROGRAMS}. */
export const INIT_COMMAND = '/bin/bash /opt/systole/bin/init';

/** What a bundle mounts for it: the stand-in's images hold no agent. */
export const PROGRAMS =
  '<storage-mapping id="lab-programs" source-dir="@FILES@" target-dir="/opt/systole/bin" options="ro"/><storage-mapping id="lab-checkout" source-dir="@CHECKOUT@" target-dir="@CHECKOUT@" options="ro"/>';
