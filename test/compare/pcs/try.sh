#!/bin/bash
# Tries pcs's commands on a node: test/compare/pcs/try.sh RUN_DIRECTORY COROSYNC_CONF
#   RUN_DIRECTORY   what the node has as /run, with its agent's tools in systole-agent/bin
#   COROSYNC_CONF   a corosync.conf that names the nodes; a copy is used
# In namespaces of its own: pcs has the programs of /usr/sbin run, and some of its commands kill daemons by their names and delete files of /etc/corosync.
set -euo pipefail
run=${1:?RUN_DIRECTORY} conf=${2:?COROSYNC_CONF}
here=$(cd "$(dirname "$0")" && pwd)
[ -S "$run/systole-agent/tools.sock" ] || { echo "no agent answers in $run" >&2; exit 64; }
export here run conf
exec unshare --mount --uts --net --pid --fork --mount-proc --propagation private bash -c '
set -eu
hostname node1
mount --bind "$run" /run
scratch=$(mktemp -d); mkdir "$scratch/corosync"; cp "$conf" "$scratch/corosync/corosync.conf"; mount --bind "$scratch/corosync" /etc/corosync
printf "#!/bin/sh\nexec %s \"\$@\"\n" "$(readlink -f /run/systole-agent/bin/crm_simulate)" >"$scratch/crm_simulate"; chmod +x "$scratch/crm_simulate"
for tool in /run/systole-agent/bin/*; do
  name=${tool##*/}; target=$(readlink -f "$tool"); [ "$name" = crm_simulate ] && target=$scratch/crm_simulate
  if [ -e "/usr/sbin/$name" ]; then mount --bind "$target" "/usr/sbin/$name"; fi
done
export LC_ALL=C TZ=UTC
while read -r line; do
  code=0; timeout 60 sh -c "$line" >"$scratch/out" 2>"$scratch/err" </dev/null || code=$?
  if [ "$code" = 0 ]; then echo "works    $line"; else echo "fails    $line ($code): $(grep -m1 . "$scratch/err" || true)"; fi
done <"$here/commands.txt"
'
