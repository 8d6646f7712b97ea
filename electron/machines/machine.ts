/** A machine as a person names it, and as `ssh` is to reach it. */
import { OnwardError } from '../engine/base/errors.ts'

export interface Machine {
  /** as `--on` takes it */
  name: string
  /** for ssh: a host of its config, `user@host`, or `ssh://user@host:port` */
  target: string
  /** where `onward` is there; null: found on the PATH */
  program: string | null
  /** its notifications are not shown here */
  quiet?: true
}

const nameShape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
/**
 * No beginning that ssh reads as an option, and no character that a shell would read: ssh puts host and user into the
 * ProxyCommand and `Match exec` of the person's config.
 */
const user = '[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}'
const host = '(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,252}|[0-9A-Fa-f:]{2,45})'
const plainTarget = new RegExp(`^(?:${user}@)?${host}$`)
const uriTarget = new RegExp(`^ssh://(?:${user}@)?(?:${host}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::\\d{1,5})?$`)
/** a shell of the machine reads it, so it has nothing that needs a quote */
const programShape = /^(?:~\/|\/)[A-Za-z0-9._/+@-]{1,500}$/
/** this machine, in lists of all of them */
const reserved = 'local'

/** @throws OnwardError `machine-name`, `machine-target`, `machine-program` */
export function machineOf(given: Omit<Machine, 'quiet'> & { quiet?: boolean }): Machine {
  const { name, target, program, quiet } = given
  if (!nameShape.test(name) || name === reserved)
    throw new OnwardError(
      'machine-name',
      `A machine can’t be called “${name}”: take letters, digits, dots and hyphens` +
        `${name === reserved ? '; “local” is this machine' : ', a letter or digit first'}.`,
    )
  if (!plainTarget.test(target) && !uriTarget.test(target))
    throw new OnwardError(
      'machine-target',
      `“${target}” is no address for ssh. Write a host of your ssh config, user@host, or ssh://user@host:port.`,
    )
  if (program !== null && !programShape.test(program))
    throw new OnwardError(
      'machine-program',
      `“${program}” can’t be called over ssh. Write a path from / or ~/ on that machine, without spaces.`,
    )
  return { name, target, program, ...(quiet && { quiet }) }
}
