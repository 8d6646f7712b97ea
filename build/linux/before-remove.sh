#!/bin/sh
# Before dpkg (`remove`) and rpm (0 packages left) take the program away. Not before an update. Homes are their owners':
# what stands there is only named.
case "$1" in
  remove | purge | 0)
    cat <<'SAID'
Onward: what people set up with it stays, and a service of theirs then starts nothing.
  Agents set up for good ask an engine that is gone. As the person they belong to, while Onward is installed:
    onward uninstall
  Afterwards: install Onward again and run that, or put back the copies in ~/.onward/agent-setup by hand.
  Keys that they stored stay in their keychains, under dev.onward, or in ~/.onward. To remove them, while it is
  installed: onward uninstall --data. Afterwards: the system's own program for passwords, and rm -r ~/.onward
SAID
    ;;
esac
exit 0
