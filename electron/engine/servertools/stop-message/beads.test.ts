import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { tempFolders } from '../../store/testing/temp-folder.ts'
import { createRunProgram } from '../../workspace/run-program.ts'
import { beadsMode, createBeads } from './beads.ts'
import type { TurnExcerpt } from './turn-excerpt.ts'
import { until } from '../../../../shared/testing/wait-for.ts'

const folder = tempFolders()
const never = () => new AbortController().signal
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** A `bd` on a PATH of its own that notes how it was called; `null`: there is none. */
async function scene(bd: string | null, mode?: string) {
  const [bin, here] = [folder(), folder()]
  await mkdir(join(here, '.beads'))
  if (bd !== null)
    await writeFile(join(bin, 'bd'), `#!/bin/sh\necho "$PWD $*" >> ${bin}/calls\n${bd}\n`, { mode: 0o755 })
  const clock = virtualClock()
  // Programs that the scripts themselves call are on no path of the test's own.
  const runProgram = createRunProgram({ clock, env: async () => ({ PATH: [bin, '/usr/bin', '/bin'].join(delimiter) }) })
  return {
    here,
    clock,
    beads: createBeads({ runProgram, mode: () => mode, exists }),
    calls: () =>
      readFile(join(bin, 'calls'), 'utf8').then(
        (text) => text.trim().split('\n'),
        () => [],
      ),
  }
}

const answers = (inProgress: string, ready: string) =>
  `case "$2" in list) echo '${inProgress}';; ready) echo '${ready}';; esac`
const done: TurnExcerpt = {
  text: '',
  callsTotal: 2,
  drivenBy: null,
  calls: ['bd list --status in_progress --json', 'bd ready --json'].map((command) => ({
    name: 'Bash',
    arguments: JSON.stringify({ command }),
    result: '[]\n',
    isError: false,
    key: command,
  })),
}
const unknown = { kind: 'unknown' }
const finished = { kind: 'finished' }

describe('what beads say', () => {
  it.each([
    [
      'work in progress',
      answers('[{"id":"a"},{"id":"b"}]', '[{"id":"c"}]'),
      { kind: 'open', say: '2 in progress, 1 ready' },
    ],
    ['work that is ready', answers('[]', '[{"id":"c"}]'), { kind: 'open', say: '0 in progress, 1 ready' }],
    ['neither', answers('[]', '[]'), finished],
    [
      'work in progress, and no answer to the rest',
      `${answers('[{}]', '')}\n[ "$2" = list ]`,
      { kind: 'open', say: '1 in progress' },
    ],
  ])('%s', async (_name, bd, state) => {
    const { beads, here, calls } = await scene(bd)
    expect(await beads.ask(here, null, never())).toEqual(state)
    expect(await calls()).toEqual([
      expect.stringMatching(/ --no-db list --status in_progress --json$/),
      expect.stringMatching(/ --no-db ready --json$/),
    ])
    expect((await calls())[0]).toContain(here)
  })

  it.each([
    ['no bd', null],
    ['one that fails', `${answers('[]', '[]')}\nexit 1`],
    ['no JSON', answers('No issues', '[]')],
    ['no list', answers('{}', '{}')],
    ['nothing', 'true'],
    ['half of a failure', `${answers('[]', '[]')}\n[ "$2" = list ]`],
  ])('of %s: what the turn shows, and nothing to `runtime`', async (_name, bd) => {
    for (const [mode, turn, state] of [
      ['auto', done, finished],
      ['auto', null, unknown],
      ['what', done, finished],
      ['runtime', done, unknown],
    ] as const) {
      const { beads, here } = await scene(bd, mode)
      expect(await beads.ask(here, turn, never())).toEqual(state)
    }
  })

  it('is not asked for by `heuristic`', async () => {
    const { beads, here, calls } = await scene(answers('[{}]', '[{}]'), 'heuristic')
    expect(await beads.ask(here, done, never())).toEqual(finished)
    expect(await beads.ask(here, null, never())).toEqual(unknown)
    expect(await calls()).toEqual([])
  })

  it('is not waited for longer than ten seconds', async () => {
    const { beads, here, clock, calls } = await scene('exec sleep 600')
    const asked = beads.ask(here, null, never())
    await until(async () => (await calls()).length === 1)
    await clock.advance(10_000)
    expect(await asked).toEqual(unknown)
    expect(await calls()).toHaveLength(1)
  })

  it('is unknown to one who no longer asks', async () => {
    const { beads, here, calls } = await scene('exec sleep 600')
    const stopping = new AbortController()
    const asked = beads.ask(here, done, stopping.signal)
    await until(async () => (await calls()).length === 1)
    stopping.abort()
    expect(await asked).toEqual(unknown)
  })
})

describe('a project of beads', () => {
  it('is where .beads stands, up to the root of the repository', async () => {
    const { beads } = await scene(null)
    const top = folder()
    const inner = join(top, 'repo', 'a', 'b')
    await mkdir(inner, { recursive: true })
    await mkdir(join(top, '.beads'))
    expect(await beads.has(inner)).toBe(false)
    await mkdir(join(top, 'repo', '.git'))
    expect(await beads.has(inner)).toBe(false)
    expect(await beads.ask(inner, done, never())).toEqual(unknown)
    await mkdir(join(top, 'repo', '.beads'))
    expect(await beads.has(inner)).toBe(true)
    expect(await beads.has(join(top, 'repo'))).toBe(true)
  })

  it.each([
    [undefined, 'auto'],
    ['', 'auto'],
    ['runtime', 'runtime'],
    [' Heuristic ', 'heuristic'],
    ['off', 'auto'],
  ])('the mode %j is %s', (value, mode) => expect(beadsMode(value)).toBe(mode))
})
