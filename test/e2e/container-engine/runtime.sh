#!/bin/bash
# The part of the stand-in container engine that makes a container: what conmon and an OCI runtime are for podman.
#   runtime.sh monitor DIR   runs the container that DIR describes, and writes down how it ended (in the host's namespaces)
#   runtime.sh init DIR      becomes the container's process 1 (in its namespaces)
# What it needs of a machine: root, util-linux, iproute2, nftables, socat, overlayfs.
set -u

BRIDGE=ctr0
# None that the hosts may have (`10.64.0.0/9`).
SUBNET=10.240

fail() {
  echo "$*" >&2
  exit 125
}

# The bridge of this host's containers, and their way out of it.
open_bridge() {
  ip link show "$BRIDGE" >/dev/null 2>&1 && return
  ip link add "$BRIDGE" type bridge && ip address add "$SUBNET.0.1/16" dev "$BRIDGE" && ip link set "$BRIDGE" up || return
  echo 1 >/proc/sys/net/ipv4/ip_forward
  nft -f - <<RULES
table ip ctr {
  chain post {
    type nat hook postrouting priority 100
    ip saddr $SUBNET.0.0/16 ip daddr != $SUBNET.0.0/16 masquerade
  }
}
RULES
}

# Gives the namespace of a process an address on the bridge, which it prints.
plug_in() {
  local pid=$1 last address
  (
    flock 9
    open_bridge || exit
    last=$(cat "$STORE/last-address" 2>/dev/null || echo 1)
    last=$((last % 65000 + 1))
    echo "$last" >"$STORE/last-address"
    address=$SUBNET.$((last / 250)).$((last % 250 + 2))
    ip link add "ctr$last" type veth peer name eth0 netns "$pid" && ip link set "ctr$last" master "$BRIDGE" up || exit
    nsenter -t "$pid" -n sh -c "ip link set lo up && ip address add $address/16 dev eth0 && ip link set eth0 up && ip route add default via $SUBNET.0.1" || exit
    echo "$address"
  ) 9>"$STORE/lock"
}

# Publishes one port, as the proxy processes of the engines do: it is bound for as long as the container runs.
publish() {
  local container=$1 ip=${2%%|*} rest=${2#*|}
  local source=${rest%%|*} target=${rest#*|}
  local proto=${target#*/} bound
  target=${target%/*}
  socat "${proto^^}-LISTEN:$source,fork,reuseaddr${ip:+,bind=$ip}" "${proto^^}:$container:$target" </dev/null >/dev/null 2>>"$DIR/log" 3>&- &
  proxies+=($!)
  for _ in $(seq 50); do
    bound=$(ss -Hlnp "--$proto" "sport = :$source" 2>/dev/null)
    [[ $bound = *pid=$!,* ]] && return
    kill -0 $! 2>/dev/null || break
    sleep 0.05
  done
  echo "cannot publish port ${ip:+$ip:}$source: $(tail -1 "$DIR/log")" >&2
  return 1
}

monitor() {
  DIR=$1
  STORE=$(dirname "$(dirname "$DIR")")
  proxies=()
  local network pid address rc port own=(--mount --pid --uts --ipc)
  network=$(<"$DIR/network")
  [ "$network" = host ] || own+=(--net)
  rm -f "$DIR/go"
  mkfifo "$DIR/go"
  unshare "${own[@]}" --propagation private --fork --kill-child "$0" init "$DIR" </dev/null >>"$DIR/log" 2>&1 3>&- &
  outer=$!
  trap 'kill -KILL "$outer" "${proxies[@]}" 2>/dev/null' EXIT
  for _ in $(seq 200); do
    pid=$(pgrep -P "$outer") && break
    kill -0 "$outer" 2>/dev/null || fail "the container's namespaces can not be made: $(tail -1 "$DIR/log")"
    sleep 0.02
  done
  if [ "$network" = bridge ]; then
    address=$(plug_in "$pid") && [ -n "$address" ] || fail "no network for the container: $(tail -1 "$DIR/log")"
    echo "$address" >"$DIR/address"
  elif [ "$network" = none ]; then
    nsenter -t "$pid" -n ip link set lo up
  fi
  if [ "$network" = bridge ]; then
    while IFS= read -r port; do
      publish "$address" "$port" || exit 126
    done <"$DIR/ports"
  fi
  echo "$pid $(awk '{ print $22 }' "/proc/$pid/stat" 2>/dev/null)" >"$DIR/process.new" && mv "$DIR/process.new" "$DIR/process"
  date --iso-8601=ns >"$DIR/started"
  echo go >"$DIR/go"
  # Whoever waits for the start reads this; the rest is the container's life.
  echo started >&3
  exec 3>&-
  wait "$outer"
  rc=$?
  echo "$rc" >"$DIR/exit-code"
  rm -f "$DIR/process"
}

# An image is this machine's own file system: what differs from it lies in the container's layer.
init() {
  DIR=$1
  local root=$DIR/layer/root source target options command environment=()
  read -r _ <"$DIR/go" || exit 125
  mount -t overlay overlay -o "lowerdir=/,upperdir=$DIR/layer/upper,workdir=$DIR/layer/work" "$root" || exit 125
  mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" || exit 125
  mount -t tmpfs -o mode=755 tmpfs "$root/run" && mkdir -p "$root/run/lock" && mount -t tmpfs -o mode=1777 tmpfs "$root/tmp" || exit 125
  hostname "$(<"$DIR/hostname")"
  rm -f "$root/etc/hosts"
  # podman adds to what its host knows.
  { { [ "${CTR_ENGINE:-podman}" = podman ] && cat /etc/hosts || echo "127.0.0.1 localhost"; } && cat "$DIR/hosts" && echo "$(cat "$DIR/address" 2>/dev/null || echo 127.0.1.1) $(<"$DIR/hostname")"; } >"$root/etc/hosts"
  while IFS='|' read -r source target options; do
    if [ -d "$source" ]; then mkdir -p "$root$target"; else mkdir -p "$(dirname "$root$target")" && touch "$root$target"; fi
    mount --rbind "$source" "$root$target" || exit 125
    case ,$options, in *,ro,*) mount -o remount,bind,ro "$root$target" || exit 125 ;; esac
  done <"$DIR/mounts"
  mapfile -d '' -t command <"$DIR/command"
  mapfile -d '' -t environment <"$DIR/environment"
  exec env -i "${environment[@]}" chroot "$root" "${command[@]}"
}

case $1 in
  monitor) monitor "$2" ;;
  init) init "$2" ;;
esac
