/** opencode speaks Chat Completions; here its provider speaks Responses. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest'
import { installAgents, opencodeHome } from './support/agents.ts'
import { cleanEnv, projectsOf, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { endTerminalHosts, hostedDriver } from './support/hosted-agent-driver.ts'
import { callTool, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { PATIENT_MS } from './support/real/scenarios/stage.ts'
import { seenByProvider } from './support/seen-by-provider.ts'
import { mockProvider } from './support/entries.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

const wrong = 'export const sum = (a, b) => a - b\n'
const right = '// “Σ” of two\nexport const sum = (a, b) => a + b\n'
const check = 'import { sum } from "./sum.mjs"\nconsole.log(`the sum is ${sum(20, 22)}`)\n'
const size = { cols: 120, rows: 40 }

let world: { mock: MockUpstream; engine: EngineProcess } | null = null
beforeAll(() => {
  installAgents()
})
beforeEach(async (context: TestContext) => {
  const { opencode } = installAgents()
  if (opencode === null) return context.skip('the package with opencode is for Linux on x64 only')
  const mock = await startMockUpstream()
  const engine = await startEngine({
    env: { PATH: `${dirname(opencode)}:${cleanEnv().PATH ?? ''}` },
    config: {
      providers: {
        mock: mockProvider(mock, { type: 'openai-responses' }),
      },
      routes: { default: ['mock.mock-model'] },
    },
  })
  world = { mock, engine }
})
afterEach(async () => {
  if (!world) return
  const { mock, engine } = world
  world = null
  await engine.stop()
  endTerminalHosts(engine.home)
  await mock.dispose()
})
afterAll(removeHomes)

describe('a real opencode over openai-responses', () => {
  it('reads, edits and runs', async () => {
    if (!world) throw new Error('skipped')
    const { mock, engine } = world
    const cwd = join(projectsOf(engine.home), 'work')
    const file = join(cwd, 'sum.mjs')
    mkdirSync(cwd, { recursive: true })
    writeFileSync(file, wrong)
    writeFileSync(join(cwd, 'check.mjs'), check)
    mock.queue(
      callTool('read', { filePath: file }, { thinking: 'First I look at the file.' }),
      callTool('edit', { filePath: file, oldString: wrong, newString: right }, { text: 'Minus is wrong.', piece: 3 }),
      {
        kind: 'answer',
        toolCalls: ['node check.mjs', 'wc -l sum.mjs'].map((command) => ({
          name: 'bash',
          input: { command, description: 'Checks it' },
        })),
      },
      say('The sum is right now.'),
    )
    const { id } = await engine.control.api.openTerminal.mutate({
      client: 'opencode',
      cwd,
      env: opencodeHome(join(engine.home, 'opencode-home')),
      args: ['run', 'Mend the sum.'],
      ...size,
    })
    const driver = hostedDriver(engine, id, size)
    const closed = await waitFor(
      'the end of opencode',
      () => engine.control.events.find(({ body }) => body.type === 'terminal-closed'),
      PATIENT_MS,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${driver.screen()}`)
    })
    expect(closed.body).toMatchObject({ terminalId: id, exitCode: 0 })
    expect(driver.screen()).toContain('The sum is right now.')
    driver.dispose()

    expect(readFileSync(file, 'utf8')).toBe(right)
    const turns = mock.turns().map(seenByProvider)
    expect(turns).toHaveLength(4)
    expect(turns[0]?.tools).toEqual(expect.arrayContaining(['read', 'edit', 'bash']))
    expect(turns[3]?.results).toEqual([
      expect.stringContaining(wrong.trim()),
      expect.stringContaining('success'),
      'the sum is 42\n',
      '2 sum.mjs\n',
    ])
    expect(JSON.stringify(mock.turns()[2]?.json)).toContain('Minus is wrong.')
    expect(mock.problems).toEqual([])
  })
})
