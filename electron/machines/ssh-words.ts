/** How the system's `ssh` is called: with the person's own config, agent, keys and jump hosts. */
import type { Machine } from './machine.ts'

/**
 * `BatchMode`: asks nothing, as nobody may be there. `ServerAlive…`: a line that is dead is known within 45 s. What the
 * person's config has for a terminal (forwardings, agent, a command of its own) is not for this.
 */
const options = [
  'BatchMode=yes',
  'ConnectTimeout=15',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=3',
  'ClearAllForwardings=yes',
  'ExitOnForwardFailure=yes',
  'PermitLocalCommand=no',
  'RemoteCommand=none',
  'LogLevel=ERROR',
]

/** so long a connection is kept for the next command */
const keptFor = '60s'

/** Bytes of a socket's path, its end not counted: 104 on macOS and the BSDs, 108 on Linux (unix(4), unix(7)). */
const longestPath = 103
/** a hash instead of %C, and what ssh appends while it makes the socket */
const addedBySsh = 40 - '%C'.length + 17

/** @param folder for the socket of a shared connection; null: none is shared */
export const linkWords = (machine: Machine, folder: string | null, start: boolean): string[] =>
  commandWords(machine, folder, commandThere(machine, start))

/** @param command as the login shell there reads it */
export const commandWords = ({ target }: Machine, folder: string | null, command: string): string[] => [
  '-T',
  '-a',
  '-x',
  ...[...options, ...sharing(folder)].flatMap((option) => ['-o', option]),
  '--',
  target,
  command,
]

/** Prints what the person's config makes of the machine. */
export const configWords = ({ target }: Machine): string[] => ['-G', '-o', 'RemoteCommand=none', '--', target]

/** Ends a shared connection that does not answer. */
export const endSharedWords = ({ target }: Machine, folder: string): string[] => [
  '-O',
  'exit',
  ...sharing(folder).flatMap((option) => ['-o', option]),
  '--',
  target,
]

/** The person's own sharing of connections, with what it has open already, is better than ours. @param said by `-G` */
export const sharesItself = (said: string): boolean => /^controlpath (?!none$)/m.test(said)

const controlPath = (folder: string): string => `${folder}/%C`

function sharing(folder: string | null): string[] {
  if (folder === null || Buffer.byteLength(controlPath(folder)) + addedBySsh > longestPath) return []
  // ssh expands % and reads quotes and spaces of an option's value
  const path = controlPath(folder.replaceAll('%', '%%'))
  return ['ControlMaster=auto', `ControlPath="${path}"`, `ControlPersist=${keptFor}`]
}

/**
 * A word of its own for every kind of login shell: they all read single quotes alike.
 * @param script without single quotes, backslashes and line ends
 */
export const byShell = (script: string): string => `exec /bin/sh -c '${script}'`

/** Where `onward` is not on the bare PATH of an ssh command, it is ours (install.ts) or the login shell knows it. */
function commandThere({ program }: Machine, start: boolean): string {
  const words = start ? 'link --start' : 'link'
  if (program !== null) return `${program} ${words}`
  return byShell(
    `command -v onward >/dev/null 2>&1 && exec onward ${words}; ` +
      // the login shell, in any case: an engine that is started has its PATH, on which agents are found
      'o=onward; [ -x ~/.local/bin/onward ] && o="~/.local/bin/onward"; ' +
      `exec "\${SHELL:-/bin/sh}" -lc "exec $o ${words}"`,
  )
}
