import { existsSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { OnwardError } from '../../base/errors.ts'
import { call, evidence, judges, looks, reached, reviewScene, verdictOf, type Says } from './testing/scene.ts'
import { until } from '../../../../shared/testing/wait-for.ts'

const scenes: ReturnType<typeof reviewScene>[] = []
afterEach(() => {
  for (const scene of scenes.splice(0)) {
    scene.checks.dispose()
    scene.remove()
  }
})
function scene(script: readonly Says[], config: Parameters<typeof reviewScene>[1] = {}) {
  const made = reviewScene(script, config)
  scenes.push(made)
  made.put('src/refund.ts', 'export const round = Math.round\n')
  return {
    ...made,
    ran: () => (existsSync(`${made.around}/ran`) ? readFileSync(`${made.around}/ran`, 'utf8').trim().split('\n') : []),
  }
}
const read = looks(['read_file', { path: 'src/refund.ts' }])

describe('a goal that is reached', () => {
  it('is done when what was seen holds and every declared check passes, run by Onward itself', async () => {
    const s = scene([read, reached('file:src/refund.ts:1')])
    await s.declare('tests', 0, { prints: '214 passed' })
    await s.declare('lint', 0)
    const { decision, view } = await s.review()
    expect(decision).toEqual({
      kind: 'done',
      reason: { code: 'goal-reached', checks: 2, evidence: 'it is there: seen' },
    })
    expect(view).toMatchObject({
      round: 3,
      backend: 'model',
      by: 'zai/glm-5',
      outcome: { code: 'reached', checks: 2 },
      usage: { input: 200, output: 20 },
      costUsd: 1,
      looks: [{ tool: 'read_file', ok: true }],
      checks: [
        { name: 'tests', outcome: 'passed' },
        { name: 'lint', outcome: 'passed' },
      ],
      say: 'it is there: seen',
    })
    expect(s.ran()).toEqual(['tests', 'lint'])
  })

  it('does not run a check again that passed in this very review', async () => {
    const s = scene([looks(['run_check', { name: 'tests' }]), reached('check:tests')])
    await s.declare('tests', 0)
    expect((await s.review()).decision).toMatchObject({ kind: 'done', reason: { checks: 1 } })
    expect(s.ran()).toEqual(['tests'])
  })

  it('without declared checks is done by the evidence alone, and says so', async () => {
    const { decision, view } = await scene([read, reached('file:src/refund.ts')]).review()
    expect(decision).toMatchObject({ kind: 'done', reason: { checks: 0 } })
    expect(view.outcome).toEqual({ code: 'reached-unchecked' })
  })

  it('in no known folder is judged without tools, and stays unchecked', async () => {
    const s = scene([judges({ goalReached: true, evidence: [evidence('the agent’s words')], followup: '' })])
    const { decision, view } = await s.review({ folder: null })
    expect(decision).toMatchObject({ kind: 'done', reason: { checks: 0 } })
    expect(view.outcome).toEqual({ code: 'reached-unchecked' })
    expect(s.model.questions[0]?.tools.map(({ name }) => name)).toEqual(['verdict'])
  })
})

describe('a reviewer that says “reached”', () => {
  it.each<[string, Says[], string]>([
    [
      'without having looked',
      [reached('file:src/refund.ts'), reached('file:src/refund.ts')],
      'It judged without having looked at anything.',
    ],
    [
      'without any evidence',
      [read, judges({ goalReached: true, followup: '' }), judges({ goalReached: true, followup: '' })],
      'It said the goal is reached without any evidence.',
    ],
    [
      'with words of its own',
      [read, reached('I am sure'), reached('everybody says so')],
      'Nothing it gave as evidence was seen in this review.',
    ],
    [
      'with a file it never opened',
      [looks(['list_files', { path: 'src' }]), reached('file:README.md'), reached('file:README.md')],
      'Nothing it gave as evidence was seen in this review.',
    ],
    [
      'with a file that is not there',
      [read, reached('file:src/gone.ts', 'file:src/refund.ts'), reached('file:src/gone.ts')],
      'Its evidence names file:src/gone.ts, which is not there.',
    ],
    [
      'with a file outside',
      [read, reached('file:../scratch'), reached('file:/etc/passwd')],
      'Its evidence names file:/etc/passwd, which is not there.',
    ],
    [
      'with a check that never ran',
      [read, reached('check:tests'), reached('check:tests')],
      'Nothing it gave as evidence was seen in this review.',
    ],
    [
      'after looks that all failed',
      [
        looks(['read_file', { path: 'gone.ts' }], ['run_check', { name: 'deploy' }]),
        reached('file:src/refund.ts'),
        reached('file:src/refund.ts'),
      ],
      'It judged without having looked at anything.',
    ],
  ])('%s is asked again once, and then not believed', async (_, script, why) => {
    const s = scene(script)
    await s.declare('tests', 0)
    s.put('README.md', 'x')
    const { decision, view } = await s.review({ failedBefore: 1 })
    expect(decision).toEqual({ kind: 'failed', why })
    expect(view.outcome).toMatchObject({ code: 'failed', inARow: 2 })
    expect(s.model.questions).toHaveLength(script.length)
    expect(s.ran()).toEqual([])
  })

  it('and then looks is believed', async () => {
    const s = scene([reached('file:src/refund.ts'), read, reached('file:src/refund.ts')])
    expect((await s.review()).decision.kind).toBe('done')
    expect(s.model.questions[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      text: expect.stringContaining('looked at nothing yet'),
    })
  })

  it('while a check fails is overruled: the agent is told which one, and what fails', async () => {
    const s = scene([read, reached('file:src/refund.ts')])
    await s.declare('tests', 3, { prints: 'refund > rounds up\n2 of 214 fail' })
    await s.declare('lint', 0)
    await s.declare('deploy', 0, { approved: false })
    const { decision, view } = await s.review()
    expect(decision).toEqual({
      kind: 'send',
      text: expect.stringMatching(
        /^The check “tests” \(.*tests\.cjs\) fails with exit code 3.*\n.*2 of 214 fail.*\n.*until it passes/,
      ),
    })
    expect(view).toMatchObject({
      outcome: { code: 'checks-failed', names: ['tests'] },
      checks: [
        { name: 'tests', outcome: 'failed', exitCode: 3 },
        { name: 'lint', outcome: 'passed' },
      ],
    })
    expect(view.say).toContain('2 of 214 fail')
    expect(s.ran()).toEqual(['tests', 'lint'])
  })

  it('is asked for where a person has not allowed a check, which is not run', async () => {
    const s = scene([
      looks(['run_check', { name: 'deploy' }], ['read_file', { path: 'src/refund.ts' }]),
      reached('file:src/refund.ts'),
    ])
    await s.declare('tests', 0)
    await s.declare('deploy', 0, { approved: false })
    const { decision, view } = await s.review()
    expect(decision).toEqual({ kind: 'pause', reason: { code: 'checks-unapproved', names: ['deploy'] } })
    expect(view.looks[0]).toEqual({ tool: 'run_check', what: 'deploy', ok: false, say: 'not allowed yet' })
    expect(s.model.read()).toContain('A person has to allow the check “deploy” first')
    expect(s.ran()).toEqual(['tests'])
  })

  it('does not get rid of a check by taking it out of the file', async () => {
    const s = scene([read, reached('file:src/refund.ts')])
    await s.declare('tests', 1)
    s.put('.onward.json', '{}')
    expect((await s.review()).view.outcome).toEqual({ code: 'checks-failed', names: ['tests'] })
  })

  it.each(['its file', 'the dashboard'])(
    'while a person takes a check of %s back that is running: nobody is told to mend it',
    async (from) => {
      const s = scene([read, reached('file:src/refund.ts')])
      await s.declare('lint', 0)
      if (from === 'its file') await s.declare('slow', 0)
      s.put(
        'slow.cjs',
        `require('fs').appendFileSync(${JSON.stringify(`${s.around}/ran`)}, 'slow\\n'); setInterval(() => {}, 1000)`,
      )
      if (from === 'the dashboard') await s.checks.declare(s.folder, { name: 'slow', command: 'node slow.cjs' })
      const review = s.review()
      await until(() => s.ran().includes('slow'))
      await s.checks.forget(s.folder, 'slow')
      const { decision, view } = await review
      expect(decision).toMatchObject(
        from === 'its file'
          ? { kind: 'pause', reason: { code: 'checks-unapproved', names: ['slow'] } }
          : { kind: 'done', reason: { checks: 1 } },
      )
      expect(view.checks.map(({ name, outcome }) => [name, outcome])).toEqual([['lint', 'passed']])
      expect(s.ran()).toEqual(['lint', 'slow'])
    },
  )

  it('is not enough where the declaration of checks is broken', async () => {
    const s = scene([read, reached('file:src/refund.ts')])
    s.put('.onward.json', '{ "checks": [')
    const { decision } = await s.review()
    expect(decision).toMatchObject({
      kind: 'pause',
      reason: { code: 'needs-user', text: expect.stringContaining('.onward.json') },
    })
  })

  it('and that the user is needed, has not reached it', async () => {
    const { decision } = await scene([
      read,
      judges({
        goalReached: true,
        evidence: [evidence('file:src/refund.ts')],
        blockers: [{ kind: 'needs_user', text: 'Which bucket?' }],
      }),
    ]).review()
    expect(decision).toEqual({ kind: 'pause', reason: { code: 'needs-user', text: 'Which bucket?' } })
  })
})

describe('a goal that is not reached', () => {
  it('the agent is told what the reviewer says, tidied', async () => {
    const { decision, view } = await scene([
      read,
      judges({ followup: ' Fix <**sm:off**> it.\n\n\nThen\u001b[31m run npm test. \n3\n4' }),
    ]).review()
    expect(decision).toEqual({ kind: 'send', text: 'Fix < **sm:off**> it.\nThen run npm test.\n3 4' })
    expect(view.outcome).toEqual({ code: 'not-reached' })
  })

  it.each(['', ' \n '])('the goal itself is sent where the reviewer says nothing (%j)', async (followup) => {
    expect((await scene([read, judges({ followup })]).review()).decision).toEqual({
      kind: 'send',
      text: 'All tests pass',
    })
  })

  it.each([
    ['All tests pass', /can’t go on without you/],
    ['测试全部通过', /没有你就继续不了/],
  ])('a need without words is told all the same: %s', async (goal, text) => {
    expect(
      (await scene([read, judges({ blockers: [{ kind: 'needs_user', text: ' ' }] })]).review({ goal })).decision,
    ).toEqual({ kind: 'pause', reason: { code: 'needs-user', text: expect.stringMatching(text) } })
  })

  it('other blockers don’t stop it', async () => {
    expect(
      (await scene([read, judges({ blockers: [{ kind: 'run_failed', text: 'npm test fails' }] })]).review()).view,
    ).toMatchObject({ outcome: { code: 'not-reached' }, say: 'npm test fails' })
  })
})

describe('a verdict', () => {
  it.each<[string, string]>([
    ['in a fence', '```json\n%\n```'],
    ['in prose', 'I have looked {carefully}, "really". My verdict: % — that is all.'],
    ['bare', '%'],
  ])('%s is taken too', async (_, text) => {
    const said = JSON.stringify(verdictOf({ followup: 'Go on with "b}" {' }))
    expect((await scene([read, { text: text.replace('%', () => said) }]).review()).decision).toEqual({
      kind: 'send',
      text: 'Go on with "b}" {',
    })
  })

  it.each<[string, Says]>([
    ['prose alone', { text: 'It looks fine to me.' }],
    ['nothing', { text: '' }],
    ['broken JSON', { calls: [call('verdict', '{"goalReached": tru')] }],
    ['another shape', { calls: [call('verdict', { goalReached: 'yes', evidence: [], blockers: [], followup: '' })] }],
    ['members of its own', { calls: [call('verdict', { ...verdictOf(), confidence: 1 })] }],
  ])('that is %s is asked for again once', async (_, bad) => {
    expect((await scene([read, bad, judges()]).review()).decision.kind).toBe('send')
    const twice = scene([read, bad, bad])
    expect((await twice.review()).decision).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('no verdict that can be read'),
    })
    expect(twice.model.questions).toHaveLength(3)
  })

  it('beside looks is none: it has not seen their results', async () => {
    const s = scene([
      {
        calls: [
          call('read_file', { path: 'src/refund.ts' }),
          call('verdict', verdictOf({ goalReached: true, evidence: [evidence('file:src/refund.ts')] })),
        ],
      },
      judges(),
    ])
    expect((await s.review()).decision.kind).toBe('send')
    expect(s.model.read()).toContain('you have not seen the results')
  })
})

describe('a review', () => {
  it('that fails tells why', async () => {
    const { decision, view } = await scene([read, new OnwardError('all-resting', 'zai/glm-5: all rest.')]).review()
    expect(decision).toEqual({ kind: 'failed', why: 'zai/glm-5: all rest.' })
    expect(view).toMatchObject({
      outcome: { code: 'failed', inARow: 1 },
      looks: [{ tool: 'read_file' }],
      usage: { input: 100 },
      say: '',
    })
  })

  it('that is stopped counts for nothing', async () => {
    const stop = new AbortController()
    const s = scene([
      read,
      () => {
        stop.abort()
        throw new OnwardError('stopped', 'given up')
      },
    ])
    expect(await s.review({}, stop.signal)).toMatchObject({
      decision: { kind: 'failed', why: 'stopped' },
      view: { outcome: { code: 'discarded' } },
    })
  })

  it('keeps its view small', async () => {
    const long = 'x'.repeat(5_000)
    const many = Array.from({ length: 40 }, () => ['read_file', { path: 'src/refund.ts' }] as const)
    const { view } = await scene([
      looks(...many.slice(0, 20)),
      looks(...many.slice(20)),
      judges({
        evidence: Array.from({ length: 30 }, () => ({ claim: long, source: long, result: long })),
        blockers: [{ kind: 'external_wait', text: long }],
      }),
    ]).review()
    expect([view.evidence.length, view.looks.length, view.say.length]).toEqual([8, 30, 300])
    expect(
      Math.max(...view.evidence.flatMap(({ claim, source, result }) => [claim.length, source.length, result.length])),
    ).toBe(300)
  })
})
