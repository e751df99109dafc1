#!/bin/sh
# Runs a program as process 1 of namespaces of its own, on a root of its own: the machine's files are the lower layer of an overlay whose upper layer is in memory.
# What boots there empties /tmp, rewrites /etc and sets what the kernel can be told: none of that may reach the machine. So it is looked at before the program begins,
# and in doubt nothing does.
# Usage: isolated-root.sh <cgroup name> <own|host: network> <program> [arguments]
set -eu

inside() {
  # Of whoever begins this by hand it would take the machine's own root.
  [ $$ -eq 1 ] || refuse 'this is not process 1'
  for kind in mnt pid cgroup uts ipc; do
    namespace=$(readlink "/proc/self/ns/$kind") || refuse "/proc does not tell the namespace $kind"
    case " $outside " in *" $namespace "*) refuse "the namespace $kind is that of who began this" ;; esac
  done
  # A directory that is there on every Debian; only these namespaces see what is mounted on it.
  root=/media
  mount -t tmpfs -o mode=755 tmpfs "$root"
  mkdir "$root/upper" "$root/work" "$root/root"
  mount -t overlay -o "lowerdir=/,upperdir=$root/upper,workdir=$root/work" overlay "$root/root"
  cd "$root/root"
  for private in tmp run var/tmp var/log; do mount -t tmpfs -o mode=755 tmpfs "$private"; done
  chmod 1777 tmp var/tmp
  mount -t tmpfs -o mode=755,nosuid tmpfs dev
  for node in null zero full random urandom tty; do
    : >"dev/$node"
    # Read only: its owner and mode are the machine's; what is written to a device is not kept from it by that.
    mount --bind "/dev/$node" "dev/$node"
    mount -o remount,bind,ro "dev/$node"
  done
  mkdir dev/shm dev/pts
  mount -t tmpfs -o mode=1777 tmpfs dev/shm
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
  for stream in 'stdin 0' 'stdout 1' 'stderr 2'; do ln -s "/proc/self/fd/${stream##* }" "dev/${stream%% *}"; done
  mount -t proc proc proc
  mount --bind proc/sys proc/sys
  mount -o remount,bind,ro proc/sys
  [ ! -e proc/sysrq-trigger ] || mount --bind /dev/null proc/sysrq-trigger
  mount -t tmpfs -o mode=755 tmpfs sys
  mkdir -p sys/fs/cgroup
  mount -t cgroup2 cgroup2 sys/fs/cgroup
  mount -o remount,ro tmpfs sys
  mkdir old
  pivot_root . old
  cd /
  umount -l /old
  rmdir /old
  for private in '/ overlayfs' '/tmp tmpfs' '/run tmpfs' '/var/tmp tmpfs' '/var/log tmpfs' '/dev tmpfs' '/sys tmpfs'; do
    [ "$(stat -f -c %T "${private%% *}")" = "${private##* }" ] || refuse "${private%% *} is $(stat -f -c %T "${private%% *}")"
  done
  ! (echo >/proc/sys/kernel/hostname) 2>/dev/null || refuse '/proc/sys can be written'
  ! grep -q ' ext4 \| xfs \| btrfs ' /proc/self/mounts || refuse 'a file system of the machine is mounted'
  exec setpriv --bounding-set -sys_module,-sys_boot,-sys_time,-sys_rawio,-mknod,-syslog,-net_admin --inh-caps -all -- "$@"
}

refuse() {
  echo "not isolated: $1" >&2
  exit 70
}

if [ "${1-}" = --inside ]; then
  outside=${2-}
  [ -n "$outside" ] || refuse 'what it is to be isolated from is not said'
  shift 2
  inside "$@"
fi
group=/sys/fs/cgroup/unified
[ -d "$group" ] || group=/sys/fs/cgroup
group=$group/$1
network=$2
shift 2
mkdir "$group"
# In what is no group systemd would have all processes of the machine before it.
if [ "$(stat -f -c %T "$group")" != cgroup2fs ]; then
  rmdir "$group"
  refuse "$group is no group of cgroup2"
fi
echo $$ >"$group/cgroup.procs"
net=--net
[ "$network" != host ] || net=
outside=
for kind in mnt pid cgroup uts ipc; do outside="$outside $(readlink "/proc/self/ns/$kind")"; done
# shellcheck disable=SC2086
exec setpriv --pdeathsig KILL env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=systole \
  unshare --mount --pid --cgroup --uts --ipc $net --fork --kill-child --propagation private -- /bin/sh "$0" --inside "$outside" "$@"
