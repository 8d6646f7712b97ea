# A systemd of a person's own in a mount namespace of its own: /run and the control groups are others there.
# $1: the person's folder, $2: name of the control group; the rest: how long it lives is up to whoever started it.
set -eu
mount -t tmpfs none /run
mkdir -p /run/systemd/system /run/user/0
chmod 700 /run/user/0
umount -l /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup
mkdir "/sys/fs/cgroup/$2"
echo $$ > "/sys/fs/cgroup/$2/cgroup.procs"
export HOME="$1" XDG_RUNTIME_DIR=/run/user/0
exec /lib/systemd/systemd --user
