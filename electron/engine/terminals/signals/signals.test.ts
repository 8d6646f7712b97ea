import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onWindows, unless } from '../../../../shared/testing/unless.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'
import type { Disposable } from '../../base/disposable.ts'
import { silentLog } from '../../base/log.ts'
import { followSignals, signalCommand, signalFile, type Signal } from './signals.ts'

describe('the signals of hooks', unless(onWindows), () => {
  let home: string
  let file: string
  let heard: string[]
  let followed: Disposable
  const run = (signal: Signal, key = 'ok_1', at = file) =>
    spawnSync('sh', ['-c', signalCommand(at, signal)], { env: { ONWARD_KEY: key }, encoding: 'utf8' })

  beforeEach(async () => {
    home = join(mkdtempSync(join(tmpdir(), 'onward-signals-')), 'it’s Ada\'s "home"')
    file = signalFile(home)
    heard = []
    followed = await followSignals(file, { log: silentLog, heard: (key, signal) => heard.push(`${signal} ${key}`) })
  })
  afterEach(() => {
    followed.dispose()
    rmSync(home, { recursive: true, force: true })
  })

  it('are heard with the key of their terminal, whatever the home is called', async () => {
    run('asks')
    await waitFor('the signal', () => heard.length === 1)
    run('rests', 'ok_2')
    await waitFor('the other', () => heard.length === 2)
    expect(heard).toEqual(['asks ok_1', 'rests ok_2'])
  })

  it('leave no key behind, in a file for this user alone', async () => {
    run('ends')
    await waitFor('the signal', () => heard.length === 1)
    await waitFor('an empty file', () => readFileSync(file, 'utf8') === '')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('are none where another word or no key was written', async () => {
    appendFileSync(file, 'rests\nopen ok_1\n\n')
    run('asks')
    await waitFor('the signal', () => heard.length > 0)
    expect(heard).toEqual(['asks ok_1'])
  })

  it('of the time without an engine are old', async () => {
    followed.dispose()
    run('asks')
    followed = await followSignals(file, { log: silentLog, heard: (key, signal) => heard.push(`${signal} ${key}`) })
    run('rests')
    await waitFor('the signal', () => heard.length > 0)
    expect(heard).toEqual(['rests ok_1'])
  })

  it('cost the agent nothing where there is no engine and no home any more: silent, and no failure', () => {
    followed.dispose()
    rmSync(home, { recursive: true })
    const { status, stdout, stderr } = run('rests')
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})
