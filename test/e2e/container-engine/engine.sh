#!/bin/bash
# A stand-in for podman and docker where neither can run, for the tests of bundles and of `ocf:heartbeat:podman` and `docker`. Its containers are real namespaces (mount, PID, UTS, IPC, network) with
# real processes; it is no engine: an image is a name, and its content this machine's own file system; nothing is limited, and nobody is kept in.
#
# By the name under which it is called it says and returns what that engine does. What it does not know it refuses.
#   CTR_STORE     this host's containers and images
#   CTR_REGISTRY  what can be pulled: a line for each image, NAME[:TAG] and the command that it runs
set -u

HERE=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
ENGINE=${CTR_ENGINE:-podman}
STORE=${CTR_STORE:?}
REGISTRY=${CTR_REGISTRY:?}
mkdir -p "$STORE/containers"
touch "$STORE/images"

# podman's code for its own errors is 125, docker's is 1 (but for run).
own_error() { [ "$ENGINE" = podman ] && echo 125 || echo 1; }

die() {
  local rc=$1
  shift
  echo "Error: $*" >&2
  exit "$rc"
}

no_such() {
  if [ "$ENGINE" = podman ]; then die "${2:-125}" "no container with name or ID \"$1\" found: no such container"; fi
  echo "Error: No such container: $1" >&2
  exit 1
}

tagged() { case ${1##*/} in *:*) echo "$1" ;; *) echo "$1:latest" ;; esac; }

# The directory of a container, by its name or the beginning of its id.
find_container() {
  local dir
  for dir in "$STORE"/containers/*; do
    [ -e "$dir/name" ] || continue
    [ "$(<"$dir/name")" = "$1" ] || [[ ${#1} -ge 3 && $(basename "$dir") = "$1"* ]] || continue
    echo "$dir"
    return
  done
  return 1
}

# Process 1 of a container, while it lives.
pid_of() {
  local pid begun
  { read -r pid begun <"$1/process"; } 2>/dev/null || return 1
  [ "$(awk '{ print $22 }' "/proc/$pid/stat" 2>/dev/null)" = "$begun" ] || return 1
  echo "$pid"
}

status_of() {
  if pid_of "$1" >/dev/null; then echo running; elif [ -e "$1/started" ]; then echo exited; else echo created; fi
}

exit_code_of() { if pid_of "$1" >/dev/null; then echo 0; else cat "$1/exit-code" 2>/dev/null || echo 137; fi; }

# Go's templates, as far as the resource agents use them.
render() {
  local dir=$1 text=$2 running=false field value
  pid_of "$dir" >/dev/null && running=true
  while [[ $text =~ \{\{\ *(len\ )?\.([A-Za-z.]+)\ *\}\} ]]; do
    field=${BASH_REMATCH[0]}
    case ${BASH_REMATCH[2]} in
      ID | Id) value=$(basename "$dir") ;;
      Name | Names) value=$(<"$dir/name") ;;
      Image | ImageName | Config.Image) value=$(<"$dir/image") ;;
      State.Running) value=$running ;;
      State | State.Status | Status) value=$(status_of "$dir") ;;
      State.ExitCode) value=$(exit_code_of "$dir") ;;
      State.Pid) value=$(pid_of "$dir" || echo 0) ;;
      State.StartedAt) value=$(cat "$dir/started" 2>/dev/null) ;;
      Config.Hostname) value=$(<"$dir/hostname") ;;
      NetworkSettings.IPAddress) value=$(cat "$dir/address" 2>/dev/null) ;;
      ExecIDs) value=0 ;;
      *) die "$(own_error)" "template: can't evaluate field ${BASH_REMATCH[2]}" ;;
    esac
    text=${text//"$field"/"$value"}
  done
  printf '%s\n' "$text"
}

pull() {
  local name
  name=$(tagged "$1")
  if ! grep -q "^$(printf '%s' "$name" | sed 's/[].[*^$]/\\&/g')\( \|$\)" "$REGISTRY" 2>/dev/null; then
    die 125 "initializing source docker://$name: reading manifest: manifest unknown"
  fi
  grep -qxF "$name" "$STORE/images" || echo "$name" >>"$STORE/images"
}

# Writes down a port mapping (or a range of them): IP|SOURCE|TARGET/PROTOCOL.
port_mapping() {
  local text=$1 proto=tcp ip='' source target first last offset
  case $text in */*) proto=${text##*/} text=${text%/*} ;; esac
  case $text in
    *:*:*) ip=${text%%:*} text=${text#*:} source=${text%%:*} target=${text#*:} ;;
    *:*) source=${text%%:*} target=${text#*:} ;;
    *) die 125 "a port without its host's port is not known to this stand-in: $1" ;;
  esac
  [[ $source =~ ^[0-9]+(-[0-9]+)?$ && $target =~ ^[0-9]+(-[0-9]+)?$ ]] || die 125 "invalid port: $1"
  first=${source%-*} last=${source#*-}
  [ $((last - first)) -eq $((${target#*-} - ${target%-*})) ] || die 125 "host and container port ranges have different lengths: $1"
  for ((offset = 0; offset <= last - first; offset++)); do
    echo "$ip|$((first + offset))|$((${target%-*} + offset))/$proto"
  done
}

volume() {
  local source=${1%%:*} rest=${1#*:}
  local target=${rest%%:*} options=
  case $rest in *:*) options=${rest#*:} ;; esac
  [[ $source = /* && $target = /* ]] || die 125 "named volumes are not known to this stand-in: $1"
  if [ ! -e "$source" ]; then
    # docker makes the directory, podman refuses.
    [ "$ENGINE" = docker ] && mkdir -p "$source" || die 125 "statfs $source: no such file or directory"
  fi
  echo "$source|$target|$options"
}

mount_option() {
  local part source='' target='' options='' kind=volume
  local IFS=,
  for part in $1; do
    case $part in
      type=*) kind=${part#*=} ;;
      src=* | source=*) source=${part#*=} ;;
      dst=* | destination=* | target=*) target=${part#*=} ;;
      ro | readonly | ro=true | readonly=true) options=ro ;;
      *) die 125 "unknown mount option \"$part\"" ;;
    esac
  done
  [ "$kind" = bind ] || die 125 "a mount of type $kind is not known to this stand-in"
  [ -e "$source" ] || die 125 "statfs $source: no such file or directory"
  echo "$source|$target|$options"
}

# Runs a container that lies in the store. Its monitor outlives this program.
launch() {
  local dir=$1 answer
  rm -f "$dir/exit-code" "$dir/address"
  mountpoint -q "$dir/layer" || { mkdir -p "$dir/layer" && mount -t tmpfs tmpfs "$dir/layer" && mkdir -p "$dir/layer"/{upper,work,root}; } || return 125
  answer=$(setsid "$HERE/runtime.sh" monitor "$dir" 3>&1 >>"$dir/log" 2>"$dir/error" </dev/null &)
  [ "$answer" = started ] && return
  cat "$dir/error" >&2
  return 126
}

discard() {
  local dir=$1
  # What still ends there keeps it busy for a moment.
  for _ in $(seq 50); do
    mountpoint -q "$dir/layer" || break
    umount -R "$dir/layer" 2>/dev/null || sleep 0.05
  done
  rm -rf "$dir"
}

run() {
  local name='' detached='' remove='' hostname='' network=bridge entrypoint='' image key value dir id rc
  local environment=('PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' "container=$ENGINE") mounts=() ports=() hosts=() command=()
  while [ $# -gt 0 ]; do
    case $1 in
      -d | --detach | --detach=true) detached=yes && shift && continue ;;
      --rm) remove=yes && shift && continue ;;
      --privileged | -i | -t | -it) shift && continue ;;
      --*=*) key=${1%%=*} value=${1#*=} && shift ;;
      --* | -[evph]) key=$1 value=${2-} && shift && [ $# -gt 0 ] && shift ;;
      -[evph]*) key=${1:0:2} value=${1:2} && shift ;;
      -*) die 125 "unknown shorthand flag: $1" ;;
      *) break ;;
    esac
    case $key in
      --name) name=$value ;;
      -e | --env) case $value in *=*) environment+=("$value") ;; *) [ -z "${!value+set}" ] || environment+=("$value=${!value}") ;; esac ;;
      -v | --volume) value=$(volume "$value") || exit && mounts+=("$value") ;;
      --mount) value=$(mount_option "$value") || exit && mounts+=("$value") ;;
      -p | --publish) value=$(port_mapping "$value") || exit && ports+=("$value") ;;
      -h | --hostname) hostname=$value ;;
      --net | --network) network=$value ;;
      --add-host) hosts+=("${value#*:} ${value%%:*}") ;;
      --entrypoint) entrypoint=$value ;;
      --restart) [ "$value" = no ] || die 125 "restarting is not known to this stand-in" ;;
      # Limits and labels: none are kept.
      --label | --memory | --cpus | --ulimit | --cap-add | --cap-drop | --security-opt | --log-driver | --log-opt | --stop-timeout | --shm-size) ;;
      *) die 125 "unknown flag: $key" ;;
    esac
  done
  [ $# -gt 0 ] || die 125 "run requires an image"
  [ -n "$detached" ] || die 125 "this stand-in runs detached containers only"
  case $network in
    host | none) ;;
    bridge | podman | default) network=bridge ;;
    *) die 125 "unable to find network with name or ID $network: network not found" ;;
  esac
  image=$(tagged "$1")
  shift
  grep -qxF "$image" "$STORE/images" || (pull "$image") || exit 125
  command=("$@")
  if [ $# -eq 0 ]; then
    value=$(sed -n "s|^$image \(.*\)|\1|p" "$REGISTRY")
    [ -n "$value" ] || die 125 "no command or entrypoint provided"
    command=(/bin/sh -c "$value")
  fi
  [ -z "$entrypoint" ] || command=("$entrypoint" "${command[@]}")
  id=$(od -An -tx1 -N32 /dev/urandom | tr -d ' \n')
  name=${name:-stand_in_${id:0:8}}
  dir=$STORE/containers/$id
  (
    flock 9
    ! find_container "$name" >/dev/null || die 125 "creating container storage: the container name \"$name\" is already in use"
    mkdir "$dir" && echo "$name" >"$dir/name"
  ) 9>"$STORE/lock" || exit 125
  echo "$image" >"$dir/image"
  echo "${hostname:-$([ "$network" = host ] && hostname || echo "${id:0:12}")}" >"$dir/hostname"
  echo "$network" >"$dir/network"
  printf '%s\0' "${command[@]}" >"$dir/command"
  printf '%s\0' "${environment[@]}" >"$dir/environment"
  printf '%s\n' "${mounts[@]}" | sed '/^$/d' >"$dir/mounts"
  printf '%s\n' "${ports[@]}" | sed '/^$/d' >"$dir/ports"
  printf '%s\n' "${hosts[@]}" >"$dir/hosts"
  [ -z "$remove" ] || touch "$dir/remove"
  launch "$dir"
  rc=$?
  [ $rc -eq 0 ] || { discard "$dir" && exit $rc; }
  echo "$id"
}

inspect() {
  local format='' names=() dir
  while [ $# -gt 0 ]; do
    case $1 in
      --type | --type=* | -f | --format | --format=*)
        case $1 in
          --type=container) ;;
          --type) shift ;;
          --format=*) format=${1#*=} ;;
          -f | --format) format=$2 && shift ;;
          *) die "$(own_error)" "only containers are inspected by this stand-in" ;;
        esac
        ;;
      -*) die 125 "unknown flag: $1" ;;
      *) names+=("$1") ;;
    esac
    shift
  done
  for name in "${names[@]}"; do
    dir=$(find_container "$name") || no_such "$name"
    if [ -n "$format" ]; then render "$dir" "$format"; else
      render "$dir" '[{"Id":"{{.Id}}","Name":"{{.Name}}","Image":"{{.Image}}","State":{"Status":"{{.State.Status}}","Running":{{.State.Running}},"Pid":{{.State.Pid}},"ExitCode":{{.State.ExitCode}}}}]'
    fi
  done
}

ps_() {
  local all='' quiet='' format='' dir
  while [ $# -gt 0 ]; do
    case $1 in
      -a | --all) all=yes ;;
      -q | --quiet) quiet=yes ;;
      --no-trunc) ;;
      --format) format=$2 && shift ;;
      --format=*) format=${1#*=} ;;
      *) die 125 "unknown flag: $1" ;;
    esac
    shift
  done
  [ -n "$format" ] || format=$([ -n "$quiet" ] && echo '{{.ID}}' || echo '{{.ID}}  {{.Image}}  {{.Status}}  {{.Names}}')
  for dir in "$STORE"/containers/*; do
    [ -e "$dir/hosts" ] || continue
    [ -n "$all" ] || pid_of "$dir" >/dev/null || continue
    render "$dir" "$format"
  done
}

exec_() {
  local dir pid rc environment=() command
  while [ $# -gt 0 ]; do
    case $1 in
      --help) exit 0 ;;
      -i | -t | -it) ;;
      -e | --env) environment+=("$2") && shift ;;
      -*) die 125 "unknown flag: $1" ;;
      *) break ;;
    esac
    shift
  done
  dir=$(find_container "${1-}") || no_such "${1-}"
  shift
  pid=$(pid_of "$dir") || { [ "$ENGINE" = podman ] && die 255 "can only create exec sessions on running containers: container state improper"; die 1 "Container $(<"$dir/name") is not running"; }
  [ $# -gt 0 ] || die 125 "exec requires a command"
  mapfile -d '' -t command < <(cat "$dir/environment" && printf '%s\0' "${environment[@]}" | sed -z '/^$/d')
  nsenter -t "$pid" -m -u -i -n -p -r -w -- env -i "${command[@]}" "$@"
  rc=$?
  # It ended between the look and the entry.
  if [ $rc -ne 0 ] && ! pid_of "$dir" >/dev/null; then
    [ "$ENGINE" = podman ] && exit 255
    exit 137
  fi
  exit $rc
}

signal() {
  local dir=$1 pid
  pid=$(pid_of "$dir") || return 1
  kill -s "$2" "$pid" 2>/dev/null
}

# Until a container has ended and its monitor has written that down; false when it has not in time (tenths of a second; without one: for ever).
ended() {
  local dir=$1 tenths=${2-}
  while pid_of "$dir" >/dev/null || { [ -e "$dir/process" ] && [ ! -e "$dir/exit-code" ] && pgrep -f "runtime.sh monitor $dir" >/dev/null; }; do
    [ -z "$tenths" ] || [ $((tenths--)) -gt 0 ] || return 1
    sleep 0.1
  done
}

stop() {
  local time=10 dir
  while [[ ${1-} = -* ]]; do
    case $1 in
      -t=* | --time=* | --timeout=*) time=${1#*=} ;;
      -t | --time | --timeout) time=$2 && shift ;;
      *) die 125 "unknown flag: $1" ;;
    esac
    shift
  done
  for name in "$@"; do
    dir=$(find_container "$name") || no_such "$name"
    signal "$dir" TERM && ! ended "$dir" $((time * 10)) && signal "$dir" KILL
    ended "$dir"
    echo "$name"
    [ ! -e "$dir/remove" ] || discard "$dir"
  done
}

kill_() {
  local with=KILL dir
  while [[ ${1-} = -* ]]; do
    case $1 in
      -s | --signal) with=${2#SIG} && shift ;;
      --signal=*) with=${1#*=} && with=${with#SIG} ;;
      *) die 125 "unknown flag: $1" ;;
    esac
    shift
  done
  for name in "$@"; do
    dir=$(find_container "$name") || no_such "$name"
    signal "$dir" "$with" || die "$(own_error)" "can only kill running containers. $name is in state $(status_of "$dir"): container state improper"
    [ "$with" != KILL ] || ended "$dir"
    echo "$name"
  done
}

rm_() {
  local force='' dir
  while [[ ${1-} = -* ]]; do
    case $1 in
      -f | --force) force=yes ;;
      -v | --volumes) ;;
      # There is no storage beside the containers.
      --storage) ;;
      *) die 125 "unknown flag: $1" ;;
    esac
    shift
  done
  for name in "$@"; do
    if ! dir=$(find_container "$name"); then
      [ -n "$force" ] && continue
      no_such "$name" 1
    fi
    if pid_of "$dir" >/dev/null; then
      [ -n "$force" ] || die 2 "cannot remove container $name as it is running - running or paused containers cannot be removed without force: container state improper"
      signal "$dir" KILL
    fi
    ended "$dir"
    discard "$dir"
    echo "$name"
  done
}

start() {
  local dir rc
  for name in "$@"; do
    dir=$(find_container "$name") || no_such "$name"
    pid_of "$dir" >/dev/null || { launch "$dir" || exit; }
    echo "$name"
  done
}

[ $# -gt 0 ] || die 125 "missing command"
verb=$1
shift
case $verb in
  run) run "$@" ;;
  start) start "$@" ;;
  stop) stop "$@" ;;
  kill) kill_ "$@" ;;
  rm) rm_ "$@" ;;
  exec) exec_ "$@" ;;
  ps) ps_ "$@" ;;
  inspect) inspect "$@" ;;
  pull) pull "$@" && echo "$1" ;;
  image)
    [ "${1-}" = exists ] || die 125 "unknown command: image ${1-}"
    grep -qxF "$(tagged "$2")" "$STORE/images"
    ;;
  images)
    echo 'REPOSITORY  TAG  IMAGE ID'
    sed -n 's|^\(.*\):\([^:/]*\)$|\1  \2  0|p' "$STORE/images"
    ;;
  wait)
    dir=$(find_container "$1") || no_such "$1"
    ended "$dir"
    exit_code_of "$dir"
    ;;
  logs)
    dir=$(find_container "$1") || no_such "$1"
    cat "$dir/log"
    ;;
  version | --version) echo "$ENGINE: a stand-in made of namespaces" ;;
  info) echo "storeRoot: $STORE" ;;
  *) die 125 "unrecognized command \`$ENGINE $verb\`" ;;
esac
