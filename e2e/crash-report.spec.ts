/** An engine that ends by itself: what is left behind, and that agents go on. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { waitFor } from '../shared/testing/wait-for.ts'
import { newHome, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { onward } from './support/onward-cli.ts'

const engines: EngineProcess[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) {
    await engine.stop()
    endTerminalHosts(engine.home)
  }
})
afterAll(removeHomes)

/** A fault of the program as Node has it, brought in from outside: on a signal something throws that nobody expects. */
const faulty = (home: string, fault: string): Record<string, string> => {
  const file = join(home, '..', `fault-${process.pid}-${Date.now()}.mjs`)
  writeFileSync(file, `process.once('SIGUSR2', () => { ${fault} })\n`)
  return { NODE_OPTIONS: `--import=${file}`, PROBE_API_KEY: 'sk-probe-0123456789' }
}
async function start(fault: string): Promise<EngineProcess> {
  const home = newHome()
  const engine = await startEngine({ home, env: faulty(home, fault) })
  engines.push(engine)
  return engine
}
const reports = (home: string): string[] => {
  const folder = join(home, 'crashes')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
}
const gone = (engine: EngineProcess) =>
  waitFor('the engine to end', () => {
    try {
      process.kill(engine.pid, 0)
      return false
    } catch {
      return true
    }
  })

describe('a crash of the engine', () => {
  it.each([
    ['an error that nobody catches', `throw new Error('no such thing as ' + process.env.PROBE_API_KEY)`],
    ['a promise that nobody awaits', `Promise.reject(new Error('no such thing as ' + process.env.PROBE_API_KEY))`],
  ])('by %s leaves one report, says where it is, and agents live on', async (_what, fault) => {
    const engine = await start(fault)
    const { id } = await engine.control.api.openTerminal.mutate({
      client: 'other',
      args: [process.execPath, '-e', 'setInterval(() => {}, 1000)'],
      cwd: engine.home,
      name: 'billing',
    })
    process.kill(engine.pid, 'SIGUSR2')
    await gone(engine)
    const [report = '', ...more] = reports(engine.home)
    expect(more).toEqual([])
    expect(report).toContain('The engine (onward serve) ended unexpectedly at ')
    expect(report).toMatch(/Error: no such thing as /)
    expect(report).not.toContain('0123456789')
    await waitFor('it says so', () => /ended unexpectedly.*The report is .*crashes/.test(engine.output()))
    const doctor = await onward(['doctor', '--json', '--home', engine.home])
    expect(JSON.parse(doctor.out)).toContainEqual(
      expect.objectContaining({ check: 'crash', ok: false, say: expect.stringContaining('ended unexpectedly') }),
    )
    const again = await engine.restart()
    engines.push(again)
    // its own report was there already
    expect(reports(engine.home)).toHaveLength(1)
    const agent = await waitFor('the agent', async () =>
      (await again.control.api.terminals.query()).find((terminal) => terminal.id === id),
    )
    expect(agent.alive).toBe(true)
    expect((await again.control.api.lastCrash.query())?.report).toBe(report)
    await again.control.api.forgetCrashes.mutate()
    expect(await again.control.api.lastCrash.query()).toBeNull()
  })

  it('below Node is told of by the next engine', async () => {
    const engine = await start('')
    process.kill(engine.pid, 'SIGABRT')
    await gone(engine)
    expect(reports(engine.home)).toEqual([])
    const again = await engine.restart()
    engines.push(again)
    expect(reports(engine.home)).toEqual([expect.stringContaining('It ended without a word')])
  })

  it('is none when it is told to end', async () => {
    const engine = await start('')
    await engine.stop()
    const again = await engine.restart()
    engines.push(again)
    expect(reports(engine.home)).toEqual([])
  })
})
