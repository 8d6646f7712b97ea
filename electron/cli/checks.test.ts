import { describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import type { FolderChecks } from '../../shared/review.ts'
import { splitCommand } from '../../shared/commands/split-command.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { sampleCheck, sampleFolder, sampleRun } from './testing/sample-goal.ts'

const { against } = cliHomes()

/** An engine with these checks, and what it was asked for. */
function engine(before: FolderChecks = sampleFolder(), after: FolderChecks = before, more: Partial<ControlApi> = {}) {
  const asked: unknown[][] = []
  const note = (name: string) => async (input: unknown) => {
    asked.push([name, input])
    return after
  }
  const api: Partial<ControlApi> = {
    checks: async () => before,
    approveCheck: note('approve'),
    forgetCheck: note('forget'),
    declareCheck: note('declare'),
    runCheck: note('run'),
    ...more,
  }
  return { api, asked }
}
/** A person at a terminal who types this. */
function person(typed: string) {
  const questions: string[] = []
  return {
    questions,
    more: {
      tty: { in: true, out: false, err: true, columns: 80 },
      env: { NO_COLOR: '1' },
      askLine: (question: string) => {
        questions.push(question)
        return typed
      },
    },
  }
}

describe('checks', () => {
  const all = sampleFolder([
    sampleCheck(),
    sampleCheck({
      name: 'lint',
      argv: ['npm', 'run', 'lint all'],
      last: sampleRun({ name: 'lint', outcome: 'passed', exitCode: 0, say: '' }),
      changedFiles: ['lint.sh', 'b.sh'],
    }),
    sampleCheck({ name: 'types', argv: ['tsc'], approval: 'not-approved', last: null }),
    sampleCheck({ name: 'build', argv: ['make'], approval: 'changed', last: null }),
    sampleCheck({ name: 'old', argv: ['./old'], approval: 'removed', last: null }),
    sampleCheck({ name: 'slow', argv: ['./slow'], running: true, last: null }),
  ])
  it('are listed with what would run, whether it may, and how it went last', async () => {
    const { code, out } = await against(engine(all).api, ['checks', 'billing'])
    expect(code).toBe(0)
    const [head, ...lines] = out.trimEnd().split('\n')
    expect(head).toBe('Checks of /home/ada/code/billing')
    expect(lines.map((line) => line.split(/\s{2,}/).slice(0, 4))).toEqual([
      ['▲ tests', 'npm test', 'approved', 'fails: 2 of 214 fail'],
      ['✓ lint', 'npm run "lint all"', 'approved, 2 files it runs changed', 'passes'],
      ['◆ types', 'tsc', 'not approved', 'never ran'],
      ['◆ build', 'make', 'changed since its approval', 'never ran'],
      ['○ old', './old', 'no longer declared, still required', 'never ran'],
      ['● slow', './slow', 'approved', 'is running'],
    ])
    expect(JSON.parse((await against(engine(all).api, ['checks', 'billing', '--json'])).out)).toEqual(all)
  })
  it.each<[FolderChecks, string]>([
    [sampleFolder([], { folder: null }), 'Nobody knows which folder'],
    [sampleFolder([]), 'No check is declared'],
    [
      sampleFolder([], { problem: '.onward.json, line 3: “checks” has to be a list of checks.' }),
      '▲ .onward.json, line 3: “checks” has to be a list of checks.\n',
    ],
  ])('%j is said', async (folder, line) => {
    expect((await against(engine(folder).api, ['checks', 'billing'])).out).toContain(line)
  })
  it('can’t move the cursor by what a repository declares', async () => {
    const nasty = '\u001b[2J\u0007\r\n\u202e'
    const folder = sampleFolder(
      [sampleCheck({ name: nasty, argv: [nasty], last: sampleRun({ say: nasty }), changedFiles: [nasty] })],
      { folder: `/x${nasty}`, problem: nasty },
    )
    // eslint-disable-next-line no-control-regex -- that is the point
    expect((await against(engine(folder).api, ['checks', 'b'])).out).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
    )
  })
  it('need a session', async () => {
    expect((await against(engine().api, ['checks'])).code).toBe(2)
  })
})

describe('checks run', () => {
  it.each<[Parameters<typeof sampleRun>[0], number, string]>([
    [{ outcome: 'passed', exitCode: 0, say: '' }, 0, '✓ Check tests passes 8.2 s\n'],
    [{}, 1, '▲ Check tests fails: 2 of 214 fail 8.2 s\n'],
    [{ outcome: 'timed-out', exitCode: null, say: '' }, 1, '▲ Check tests took too long 8.2 s\n'],
  ])('%j ends with %i', async (run, exit, line) => {
    const { api, asked } = engine(sampleFolder(), sampleFolder([sampleCheck({ last: sampleRun(run) })]))
    expect(await against(api, ['checks', 'run', 'billing', 'tests'])).toMatchObject({ code: exit, out: line })
    expect(asked).toEqual([['run', { session: 'billing', name: 'tests' }]])
    const json = await against(api, ['checks', 'run', 'billing', 'tests', '--json'])
    expect({ code: json.code, run: JSON.parse(json.out) }).toEqual({ code: exit, run: sampleRun(run) })
  })
  it('says which of the files it runs are not what was approved', async () => {
    const { api } = engine(sampleFolder(), sampleFolder([sampleCheck({ changedFiles: ['scripts/test.sh'] })]))
    expect((await against(api, ['checks', 'run', 'billing', 'tests'])).out).toContain(
      '◆ Not what they were when it was approved: scripts/test.sh\n',
    )
  })
  it.each([
    ['check-unknown', 5],
    ['check-not-approved', 4],
    ['check-running', 4],
    ['no-folder', 4],
  ])('ends as the engine refuses: %s', async (refusal, exit) => {
    const { api } = engine(sampleFolder(), sampleFolder(), {
      runCheck: async () => {
        throw new OnwardError(refusal, 'It can’t be.')
      },
    })
    expect(await against(api, ['checks', 'run', 'billing', 'tests'])).toMatchObject({
      code: exit,
      out: '',
      err: 'onward: It can’t be.\n',
    })
  })
})

describe('what a person says of a check', () => {
  const waiting = sampleFolder([sampleCheck({ approval: 'not-approved', approvedAt: null, last: null })])
  const words = {
    approve: ['checks', 'approve', 'billing', 'tests'],
    forget: ['checks', 'forget', 'billing', 'tests'],
    add: ['checks', 'add', 'billing', '--name', 'unit', '--', 'npm', 'test', '--', 'it’s all'],
  }
  const calls = {
    approve: ['approve', { session: 'billing', name: 'tests', argv: ['npm', 'test'] }],
    forget: ['forget', { session: 'billing', name: 'tests' }],
    add: ['declare', { session: 'billing', name: 'unit', command: "npm test -- 'it’s all'" }],
  }
  const table = (['approve', 'forget', 'add'] as const).map((what) => [what] as const)

  it.each(table)('%s shows the folder and the exact words, and asks', async (what) => {
    const { api, asked } = engine(waiting)
    for (const typed of [what === 'add' ? 'unit' : 'tests', 'yes', ' yes ']) {
      const { questions, more } = person(typed)
      const { code, err } = await against(api, words[what], more)
      expect({ code, asked: asked.splice(0) }).toEqual({ code: 0, asked: [calls[what]] })
      expect(err).toContain(
        what === 'add'
          ? '  Folder  /home/ada/code/billing\n  Runs    npm test -- "it’s all"\n'
          : '  Folder  /home/ada/code/billing\n  Runs    npm test\n',
      )
      expect(questions).toHaveLength(1)
      expect(questions[0]).toContain('or yes')
    }
  })
  it.each(table)('%s tells programs what there is then', async (what) => {
    const after = sampleFolder([sampleCheck()])
    expect(
      JSON.parse(
        (
          await against(
            engine(waiting, after).api,
            [...words[what].slice(0, 3), '--json', ...words[what].slice(3)],
            person('yes').more,
          )
        ).out,
      ),
    ).toEqual(after)
  })
  it.each(table)('%s does nothing when something else is typed', async (what) => {
    for (const typed of ['', 'y', 'no', 'YES', 'test', 'yes please']) {
      const { api, asked } = engine(waiting)
      expect(await against(api, words[what], person(typed).more)).toMatchObject({
        code: 4,
        out: '',
        err: expect.stringContaining('onward: Not confirmed: nothing was changed.\n'),
      })
      expect(asked).toEqual([])
    }
  })
  it.each(
    table.flatMap(
      ([what]) =>
        [
          [what, { in: false, err: true }],
          [what, { in: true, err: false }],
          [what, { in: false, err: false }],
        ] as const,
    ),
  )('%s refuses where no person is: %j', async (what, ends) => {
    const { api, asked } = engine(waiting)
    const without = { ...person('yes').more, tty: { ...ends, out: true, columns: 80 } }
    expect(await against(api, words[what], without)).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringMatching(/needs a person at a terminal who confirms it\.\nDo it in the dashboard, /),
    })
    const { err } = await against(api, [...words[what].slice(0, 3), '--json', ...words[what].slice(3)], without)
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'needs-person', exit: 4 } })
    expect(asked).toEqual([])
  })
  it.each(table)('%s has no option that says yes', async (what) => {
    const { api, asked } = engine(waiting)
    for (const option of ['--yes', '-y', '--force'])
      expect(
        (await against(api, [...words[what].slice(0, 3), option, ...words[what].slice(3)], person('yes').more)).code,
      ).toBe(2)
    expect(asked).toEqual([])
  })
  it.each(table)('%s needs a folder', async (what) => {
    const { api, asked } = engine(sampleFolder([], { folder: null }))
    expect(await against(api, words[what], person('yes').more)).toMatchObject({
      code: 4,
      err: expect.stringContaining('Nobody knows which folder'),
    })
    expect(asked).toEqual([])
  })
  it.each([
    ['check-changed', 4],
    ['check-exists', 4],
    ['bad-command', 4],
    ['check-unknown', 5],
  ])('ends as the engine refuses: %s', async (refusal, exit) => {
    const no = async () => {
      throw new OnwardError(refusal, 'It can’t be.')
    }
    const { api } = engine(waiting, waiting, { approveCheck: no, forgetCheck: no, declareCheck: no })
    for (const what of ['approve', 'forget', 'add'] as const)
      expect(await against(api, words[what], person('yes').more)).toMatchObject({
        code: exit,
        out: '',
        err: expect.stringContaining('onward: It can’t be.\n'),
      })
  })
})

describe('checks approve', () => {
  it('shows what was approved before, and which files changed', async () => {
    const { api, asked } = engine(
      sampleFolder([
        sampleCheck({ approval: 'changed', approvedArgv: ['npm', 'run', 'fast'], changedFiles: ['a.sh', 'b.sh'] }),
      ]),
    )
    const { err } = await against(api, ['checks', 'approve', 'billing', 'tests'], person('tests').more)
    expect(err).toContain('  Before   npm run fast\n  Changed  a.sh, b.sh\n')
    expect(asked).toHaveLength(1)
  })
  it('asks again for one that is approved when files it runs changed', async () => {
    const { api, asked } = engine(sampleFolder([sampleCheck({ changedFiles: ['a.sh'] })]))
    await against(api, ['checks', 'approve', 'billing', 'tests'], person('yes').more)
    expect(asked).toHaveLength(1)
  })
  it.each(['approved', 'removed'] as const)('has nothing to ask of one that is %s', async (approval) => {
    const { api, asked } = engine(sampleFolder([sampleCheck({ approval })]))
    const { questions, more } = person('no')
    expect(await against(api, ['checks', 'approve', 'billing', 'tests'], more)).toMatchObject({
      code: 0,
      out: expect.stringContaining('tests'),
    })
    expect({ asked, questions }).toEqual({ asked: [], questions: [] })
  })
  it('of one that is not there says which there are', async () => {
    expect(await against(engine().api, ['checks', 'approve', 'billing', 'x'], person('yes').more)).toMatchObject({
      code: 5,
      err: 'onward: There is no check “x”.\nThere is: tests\n',
    })
    expect(
      await against(engine(sampleFolder([])).api, ['checks', 'forget', 'billing', 'x'], person('yes').more),
    ).toMatchObject({ code: 5, err: 'onward: There is no check “x”.\nNone is declared here.\n' })
  })
})

describe('checks add', () => {
  const added = (argv: readonly string[]) =>
    sampleFolder([sampleCheck(), sampleCheck({ name: 'new', argv, from: 'dashboard' })])
  it('hands on the time it may take, and asks for yes where it has no name', async () => {
    const { api, asked } = engine()
    const { questions, more } = person('yes')
    expect((await against(api, ['checks', 'add', 'billing', '--timeout', '1800', '--', './e2e.sh'], more)).code).toBe(0)
    expect(asked).toEqual([['declare', { session: 'billing', command: './e2e.sh', timeoutSeconds: 1800 }]])
    expect(questions[0]).toMatch(/\nType yes: $/)
  })
  it.each([[['a b', "c'd", '"e"', '\\', '$HOME', '*', '']], [['--name', '--yes', '-n']]])(
    'hands on %j as these words',
    async (argv) => {
      const { api, asked } = engine(sampleFolder(), added(argv))
      expect((await against(api, ['checks', 'add', 'billing', '--', ...argv], person('yes').more)).code).toBe(0)
      const [[, input] = []] = asked
      expect(splitCommand((input as { command: string }).command)).toEqual(argv)
    },
  )
  it('takes back what the engine understood otherwise', async () => {
    const { api, asked } = engine(sampleFolder(), added(['npm', 'other']))
    expect(await against(api, ['checks', 'add', 'billing', '--', 'npm', 'test'], person('yes').more)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('read other words than these: npm other. Nothing was added.'),
    })
    expect(asked.map(([name]) => name)).toEqual(['declare', 'forget'])
  })
  it.each([
    [['checks', 'add', 'billing']],
    [['checks', 'add', 'billing', '--']],
    [['checks', 'add']],
    ...['0', '7201', 'x'].map((seconds) => [['checks', 'add', 'billing', '--timeout', seconds, '--', 'true']]),
  ])('%j is not understood', async (line) => {
    const { api, asked } = engine()
    expect((await against(api, line, person('yes').more)).code).toBe(2)
    expect(asked).toEqual([])
  })
})
