import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runs } from '../../shared/testing/runs.ts'
import { machineOf } from './machine.ts'
import { machineNamed, machinesFile, readMachines, writeMachines } from './machines-file.ts'

const of = (target: string, name = 'box', program: string | null = null) => machineOf({ name, target, program })
const code = (make: () => unknown): unknown => {
  try {
    make()
    return null
  } catch (error) {
    return (error as { code: unknown }).code
  }
}

describe('a machine', () => {
  it.each([
    'devbox',
    'ada@devbox.example',
    'ada.b+c@10.0.0.7',
    '::1',
    'ada@fe80:0:0:0:1:2:3:4',
    'my_host',
    'ssh://devbox',
    'ssh://ada@devbox.example:2222',
    'ssh://ada@[::1]:22',
  ])('is reached at %s', (target) => expect(of(target).target).toBe(target))

  it.each([
    '',
    '-oProxyCommand=x',
    '--',
    '-p22',
    'ada@-oX=y',
    '-ada@devbox',
    'ssh://-oX=y',
    'ssh://ada@-x',
    'ssh://devbox:2222/path',
    'ssh://ada:secret@devbox',
    'devbox ls',
    'devbox\n-oX=y',
    'devbox;x',
    '$(x)@devbox',
    'ada@`x`',
    "ada'@devbox",
    'dev%hbox',
    'http://devbox',
    'a@b@c',
  ])('is not at %j', (target) => expect(code(() => of(target))).toBe('machine-target'))

  it('never has an address that an option or a shell could be made of', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.constantFrom('', '-', 'a@', 'ssh://', 'a@-'), (text, first) => {
        const target = first + text
        if (code(() => of(target)) !== null) return
        expect(target).toMatch(/^(ssh:\/\/)?[A-Za-z0-9_:[]/)
        expect(target).not.toMatch(/[\s'"`$;&|<>(){}*?!\\%#=,]|@-|\/-/)
      }),
      runs(2000),
    )
  })

  it.each(['', 'a b', '-x', '.x', 'local', 'x'.repeat(64), 'ä', 'a/b', '../x'])('is not called %j', (name) =>
    expect(code(() => of('devbox', name))).toBe('machine-name'),
  )

  it.each([
    ['/opt/onward/bin/onward', null],
    ['~/.local/bin/onward', null],
    ['onward', 'machine-program'],
    ['/x y', 'machine-program'],
    ['/x;y', 'machine-program'],
    ['~root/x', 'machine-program'],
    ['-x', 'machine-program'],
  ] as const)('has its program at %s: %s', (program, refused) =>
    expect(code(() => of('devbox', 'box', program))).toBe(refused),
  )
})

describe('the machines of a home', () => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'onward-machines-'))
  })
  afterEach(() => rm(home, { recursive: true }))

  it('are none at first', async () => {
    expect(await readMachines(home)).toEqual([])
    await expect(machineNamed(home, 'x')).rejects.toMatchObject({ code: 'machine-unknown' })
  })
  it('are kept by name, for their owner alone', async () => {
    const [b, a] = [of('devbox', 'b', '~/onward'), of('ssh://x:1', 'a')]
    await writeMachines(home, [b, a])
    expect(await readMachines(home)).toEqual([a, b])
    expect(await machineNamed(home, 'b')).toEqual(b)
    expect((await stat(machinesFile(home))).mode & 0o077).toBe(0)
    await expect(machineNamed(home, 'x')).rejects.toMatchObject({ message: expect.stringContaining('Known: a, b.') })
  })
  it.each([
    ['{', 'machines-file'],
    ['{}', 'machines-file'],
    ['{"machines":[1]}', 'machines-file'],
    ['{"machines":[{"name":"a"}]}', 'machines-file'],
    ['{"machines":[{"name":"a","target":"b","program":1}]}', 'machines-file'],
    ['{"machines":[{"name":"a","target":"-oX=y"}]}', 'machine-target'],
  ])('are refused as %s: %s', async (text, refused) => {
    await writeFile(machinesFile(home), text)
    await expect(readMachines(home)).rejects.toMatchObject({ code: refused })
  })
})
