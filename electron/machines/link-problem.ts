/** Why there is no line to a machine, from what ssh and the machine said. */
import { fitOf } from '../../shared/control/contract.ts'
import { OnwardError } from '../engine/base/errors.ts'
import type { Greeting } from './greeting.ts'
import type { Machine } from './machine.ts'

/** How the ssh process ended. */
export interface SshEnd {
  /** null: by a signal */
  code: number | null
  /** its last words on stderr */
  said: string
}

type Words = readonly [code: string, said: RegExp, sentence: (machine: Machine, said: string) => string]

const ownStatus = 255
const tried = ({ target }: Machine): string => `Try \`ssh ${target}\` in a terminal.`

/** of ssh itself, the first that fits */
const bySsh: readonly Words[] = [
  [
    'machine-host-unknown',
    /Could not resolve hostname/i,
    (machine) =>
      `Nobody knows where “${machine.target}” is. Check the name, and whether you are in its network or VPN.`,
  ],
  [
    'machine-host-key',
    /Host key verification failed|HOST IDENTIFICATION HAS CHANGED|host key is known/i,
    (machine) =>
      `ssh does not know the host key of ${machine.name}, or it has changed. ` +
      `Run \`ssh ${machine.target}\` once in a terminal, and look at what it asks.`,
  ],
  [
    'machine-auth-refused',
    /Permission denied|Too many authentication failures|No supported authentication/i,
    (machine, said) =>
      `${machine.name} refused the login: ${said}. Nothing can be asked here: \`ssh ${machine.target}\` has to work ` +
      'without a question. Add the key to your agent with `ssh-add`.',
  ],
  [
    'machine-unreachable',
    /refused|timed out|No route|unreachable|reset by|Connection closed|closed by remote|Broken pipe|not responding/i,
    (machine, said) => `${machine.name} can’t be reached: ${said}. Is it on, and are you in its network?`,
  ],
]

/**
 * @param end of an ssh process that never sent a greeting
 * @param lateMs null: it ended by itself
 */
export function notLinked(machine: Machine, end: SshEnd, lateMs: number | null): OnwardError {
  const said = lastLine(end.said)
  if (lateMs !== null)
    return problem(
      machine,
      'machine-silent',
      `${machine.name} did not answer within ${Math.round(lateMs / 1000)} s${said && `: ${said}`}. ${tried(machine)}`,
    )
  if (end.code === ownStatus || end.code === null) {
    for (const [code, pattern, sentence] of bySsh)
      if (pattern.test(end.said)) return problem(machine, code, sentence(machine, said))
    return problem(
      machine,
      'machine-ssh-failed',
      `ssh to ${machine.name} failed: ${said || 'it said nothing'}. ${tried(machine)}`,
    )
  }
  if (end.code === 126 || end.code === 127)
    return problem(
      machine,
      'machine-no-onward',
      `There is no \`onward\` on ${machine.name}${machine.program === null ? '’s PATH' : ` at ${machine.program}`}. ` +
        (machine.program === null ? `Install it from here: \`onward remote install ${machine.name}\`, or say` : 'Say') +
        ' where it is: `onward remote add <name> <host> --program <path>`.',
    )
  if (/unknown command 'link'/.test(end.said))
    return problem(
      machine,
      'machine-contract',
      `The Onward on ${machine.name} is too old to be reached from here. Update it there.`,
    )
  return problem(
    machine,
    'machine-no-answer',
    `What answers on ${machine.name} is no Onward (status ${end.code})${said && `: ${said}`}. ${tried(machine)}`,
  )
}

export const noSsh = (machine: Machine, cause: unknown): OnwardError =>
  problem(
    machine,
    'machine-no-ssh',
    'There is no `ssh` on the PATH of this machine. Install an OpenSSH client, which Onward reaches machines with.',
    cause,
  )

/** Returns why nothing may be asked of what answered; null: it may. */
export function notUsable(machine: Machine, greeting: Greeting): OnwardError | null {
  if (greeting.kind === 'no-engine')
    return problem(
      machine,
      'machine-no-engine',
      `No engine runs on ${machine.name}, for ${greeting.home}. ` +
        `Start it with \`onward remote test ${machine.name} --start\`.`,
    )
  if (greeting.kind === 'problem')
    return problem(machine, 'machine-problem', `Onward on ${machine.name} (${greeting.code}): ${greeting.message}`)
  const fit = fitOf(greeting.engine.contract)
  if (fit === 'too-old' || fit === 'too-new')
    return problem(
      machine,
      'machine-contract',
      `The engine on ${machine.name} is Onward ${greeting.engine.version}, too ${fit === 'too-old' ? 'old' : 'new'} ` +
        `for this one. ${fit === 'too-old' ? 'Update it there, and start it again.' : 'Update Onward here.'}`,
    )
  return null
}

/** After it had been there. */
export function lineLost(machine: Machine, end: SshEnd): OnwardError {
  const said = lastLine(end.said)
  if (end.code === 0)
    return problem(machine, 'machine-engine-ended', `The engine on ${machine.name} ended before the answer came.`)
  return problem(
    machine,
    'machine-line-lost',
    `The line to ${machine.name} broke before the answer came${said && `: ${said}`}. ` +
      `It is not known whether this was done there: look with \`onward --on ${machine.name} status\`.`,
  )
}

export const problem = (machine: Machine, code: string, message: string, cause?: unknown): OnwardError =>
  new OnwardError(code, message, { cause, details: { machine: machine.name } })

/** The last line of another program's words, without controls, which could do things to a terminal. */
export const lastLine = (said: string): string =>
  (
    said
      .trim()
      .split(/[\r\n]+/)
      .at(-1) ?? ''
  )
    // eslint-disable-next-line no-control-regex -- controls are what is looked for
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/^(?:ssh|onward): /, '')
    .replace(/[.\s]+$/, '')
    .slice(0, 300)
