import { describe, expect, it } from 'vitest'
import { contract } from '../../shared/control/contract.ts'
import { lineLost, noSsh, notLinked, notUsable } from './link-problem.ts'
import { machineOf } from './machine.ts'
import type { Greeting } from './greeting.ts'

const machine = machineOf({ name: 'box', target: 'ada@box', program: null })
const not = (code: number | null, said: string, lateMs: number | null = null) =>
  notLinked(machine, { code, said }, lateMs)

describe('an ssh that never came through', () => {
  // the words of OpenSSH 9.2
  it.each([
    [255, 'ssh: Could not resolve hostname box: Name or service not known\r\n', 'machine-host-unknown'],
    [255, 'No ED25519 host key is known for box.\r\nHost key verification failed.\r\n', 'machine-host-key'],
    [
      255,
      '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\r\nHost key verification failed.\r\n',
      'machine-host-key',
    ],
    [255, 'ada@box: Permission denied (publickey,password).\r\n', 'machine-auth-refused'],
    [255, 'Received disconnect from ::1 port 22:2: Too many authentication failures\r\n', 'machine-auth-refused'],
    [255, 'ssh: connect to host box port 22: Connection refused\r\n', 'machine-unreachable'],
    [255, 'ssh: connect to host box port 22: Connection timed out\r\n', 'machine-unreachable'],
    [255, 'ssh: connect to host box port 22: No route to host\r\n', 'machine-unreachable'],
    [255, 'kex_exchange_identification: Connection closed by remote host\r\n', 'machine-unreachable'],
    [255, 'Timeout, server box not responding.\r\n', 'machine-unreachable'],
    [255, '/home/ada/.ssh/config: line 3: Bad configuration option: frob\r\n', 'machine-ssh-failed'],
    [255, '', 'machine-ssh-failed'],
    [null, '', 'machine-ssh-failed'],
    [127, 'sh: 1: exec: onward: not found\n', 'machine-no-onward'],
    [126, '', 'machine-no-onward'],
    [2, "onward: unknown command 'link'\n", 'machine-contract'],
    [1, 'This account is currently not available.\n', 'machine-no-answer'],
    [0, '', 'machine-no-answer'],
  ])('%s, %j: %s', (code, said, expected) => {
    const error = not(code, said)
    expect(error).toMatchObject({ code: expected, details: { machine: 'box' } })
    expect(error.message).toMatch(/box.*[.?]$/)
  })
  it('was too late, whatever it said', () =>
    expect(not(null, 'Permission denied', 40_000)).toMatchObject({
      code: 'machine-silent',
      message: 'box did not answer within 40 s: Permission denied. Try `ssh ada@box` in a terminal.',
    }))
  it('can do nothing to a terminal by its words', () =>
    expect(not(1, 'a\n\u001b]0;title\u0007 \u001b[2Jgone\n').message).not.toMatch(/[\u0000-\u001f]/))
  it('was not there', () => expect(noSsh(machine, null).code).toBe('machine-no-ssh'))
})

describe('what answered', () => {
  const engine = { pid: 1, version: '0.0.1', contract, host: '127.0.0.1', port: 5520, token: 't' }
  const greeting = (of: Partial<typeof engine>): Greeting =>
    ({ kind: 'engine', version: '0.1.0', started: false, engine: { ...engine, ...of } }) as Greeting
  it('is good where the contracts fit', () => expect(notUsable(machine, greeting({}))).toBeNull())
  it('is refused by name where they do not', () => {
    expect(notUsable(machine, greeting({ contract: null as never }))).toMatchObject({
      code: 'machine-contract',
      message: expect.stringContaining('Onward 0.0.1, too old for this one. Update it there'),
    })
    const newer = { version: contract.version + 5, oldest: contract.version + 1 }
    expect(notUsable(machine, greeting({ contract: newer }))?.message).toContain('Update Onward here.')
  })
  it('is no engine, or an error of its own', () => {
    expect(notUsable(machine, { kind: 'no-engine', version: '1', home: '/h' })?.message).toContain(
      '`onward remote test box --start`',
    )
    expect(
      notUsable(machine, { kind: 'problem', version: '1', code: 'disk-full', message: 'The disk is full.' }),
    ).toMatchObject({ code: 'machine-problem', message: 'Onward on box (disk-full): The disk is full.' })
  })
})

it.each([
  [255, 'Timeout, server box not responding.\r\n', 'machine-line-lost', 'not responding'],
  [null, '', 'machine-line-lost', 'not known whether'],
  [0, '', 'machine-engine-ended', 'ended before the answer'],
] as const)('a line that was there, gone with %s, %j: %s', (code, said, expected, words) => {
  expect(lineLost(machine, { code, said })).toMatchObject({ code: expected, message: expect.stringContaining(words) })
})
