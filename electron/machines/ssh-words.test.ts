import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { machineOf } from './machine.ts'
import { configWords, endSharedWords, linkWords, sharesItself } from './ssh-words.ts'

const machine = machineOf({ name: 'box', target: 'ada@box', program: null })
const optionsOf = (words: readonly string[]) => words.filter((_word, i) => words[i - 1] === '-o')

describe('the words of ssh', () => {
  it('end with where it goes and what runs there, which nothing can turn into options', () => {
    for (const words of [linkWords(machine, '/h/run', false), configWords(machine), endSharedWords(machine, '/h/run')])
      expect(words.slice(words.indexOf('--'))).toEqual(['--', 'ada@box', ...words.slice(words.indexOf('--') + 2)])
    expect(linkWords(machine, null, false).indexOf('--')).toBe(linkWords(machine, null, false).length - 3)
  })
  it('ask nothing, and know a dead line', () => {
    expect(optionsOf(linkWords(machine, null, false))).toEqual(
      expect.arrayContaining(['BatchMode=yes', 'ServerAliveInterval=15', 'ClearAllForwardings=yes']),
    )
  })
  it('share a connection in a folder of ours, where a socket’s path is not too long for it', () => {
    const shared = (folder: string | null) => optionsOf(linkWords(machine, folder, false)).join(' ')
    expect(shared('/h/run')).toContain('ControlMaster=auto ControlPath="/h/run/%C" ControlPersist=60s')
    expect(shared('/h 100%/run')).toContain('ControlPath="/h 100%%/run/%C"')
    expect(shared(`/${'x'.repeat(44)}`)).toContain('ControlPath')
    expect(shared(`/${'x'.repeat(45)}`)).not.toContain('Control')
    expect(shared(null)).not.toContain('Control')
  })
  it('leave sharing to the person’s own config', () => {
    expect(sharesItself('user ada\ncontrolpath /home/ada/.ssh/%C\n')).toBe(true)
    expect(sharesItself('user ada\ncontrolpath none\n')).toBe(false)
    expect(sharesItself('user ada\ncontrolmaster false\n')).toBe(false)
  })
  it('name the program there, and start an engine only where that was asked for', () => {
    const own = machineOf({ name: 'box', target: 'box', program: '~/bin/onward' })
    expect(linkWords(own, null, false).at(-1)).toBe('~/bin/onward link')
    expect(linkWords(own, null, true).at(-1)).toBe('~/bin/onward link --start')
    expect(linkWords(machine, null, true).at(-1)).toContain('onward link --start')
    expect(linkWords(machine, null, false).at(-1)).not.toContain('--start')
  })
})

describe('the command there', () => {
  const command = linkWords(machine, null, false).at(-1) ?? ''
  const said = (env: Record<string, string>) => {
    try {
      return execFileSync('/bin/sh', ['-c', command], { env, encoding: 'utf8', stdio: 'pipe' })
    } catch (error) {
      return (error as { status: number }).status
    }
  }
  it('is the one that was installed from here, where no PATH has another', () => {
    const home = mkdtempSync(join(tmpdir(), 'onward-words-'))
    mkdirSync(join(home, '.local/bin'), { recursive: true })
    writeFileSync(join(home, '.local/bin/onward'), '#!/bin/sh\necho ours $*\n', { mode: 0o700 })
    const env = { PATH: '/nowhere', HOME: home, SHELL: '/bin/sh' }
    expect(said(env)).toBe('ours link\n')
    writeFileSync(join(home, 'onward'), '#!/bin/sh\necho theirs $*\n', { mode: 0o700 })
    expect(said({ ...env, PATH: home })).toBe('theirs link\n')
    rmSync(home, { recursive: true })
  })
  it('ends with the status of a program that is not found, where there is none', () => {
    expect(said({ PATH: '/nowhere', HOME: '/nowhere' })).toBe(127)
    expect(said({ PATH: '/nowhere', HOME: '/nowhere', SHELL: '/bin/sh' })).toBe(127)
  })
})
