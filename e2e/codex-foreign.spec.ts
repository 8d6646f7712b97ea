/** Codex speaks Responses only; here its provider speaks something else. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { workingConfig } from './support/codex.ts'
import { callTool, say, type MockReply } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { seenByProvider } from './support/seen-by-provider.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

const wrong = 'export const sum = (a, b) => a - b\n'
const right = '// “Σ” of two\nexport const sum = (a, b) => a + b\n'
const check = 'import { sum } from "./sum.mjs"\nconsole.log(`the sum is ${sum(20, 22)}`)\n'
const patch =
  '*** Begin Patch\n*** Update File: sum.mjs\n@@\n-export const sum = (a, b) => ' +
  'a - b\n+// “Σ” of two\n+export const sum = (a, b) => a + b\n*** End Patch\n'
const followup = 'say what you changed'

/** How Codex offers its tools depends on the model it believes to talk to. */
interface Toolbox {
  model: string
  /** as a provider must see them, freeform tools and those of namespaces among them */
  tools: readonly string[]
  read: MockReply
  edit: MockReply
  run: MockReply
}

const first = { thinking: 'First I look at the file.' }
const second = { thinking: 'Minus is wrong.\nPlus it “must” be.', piece: 3 }

const toolboxes: readonly Toolbox[] = [
  {
    model: 'gpt-5.5',
    tools: ['exec_command', 'apply_patch'],
    read: callTool('exec_command', { cmd: 'cat sum.mjs' }, first),
    edit: callTool('apply_patch', { input: patch }, second),
    run: {
      kind: 'answer',
      toolCalls: [
        { name: 'exec_command', input: { cmd: 'node check.mjs' } },
        { name: 'exec_command', input: { cmd: 'wc -l sum.mjs' } },
      ],
    },
  },
  {
    // One freeform tool takes scripts that call the others; it comes in a namespace, in the middle of the input.
    model: 'gpt-6.1-sol',
    tools: ['functions__exec', 'functions__wait', 'collaboration__spawn_agent'],
    read: callTool(
      'functions__exec',
      { input: 'const { output } = await tools.exec_command({ cmd: "cat sum.mjs" })\ntext(output)\n' },
      first,
    ),
    edit: callTool('functions__exec', { input: `text(await tools.apply_patch(${JSON.stringify(patch)}))` }, second),
    run: callTool('functions__exec', {
      input:
        'notify("half way")\nfor (const cmd of ["node check.mjs", "wc -l ' +
        'sum.mjs"]) text((await tools.exec_command({ cmd })).output)',
    }),
  },
]

const config = ({ model }: Toolbox) => workingConfig(model)

describe.each(['anthropic', 'openai-chat'] as const)('a real Codex over %s', unless(tmuxMissing), (type) => {
  const world = codexWorld({ type })

  it.each(toolboxes)('reads, edits, runs and is kept going as $model', async (toolbox) => {
    const { mock, engine } = world
    mock.queue(toolbox.read, toolbox.edit, toolbox.run, say('The sum is right now.'), say('A minus became a plus.'))
    const codex = await world.start({ how: 'pane', config: config(toolbox) })
    const file = join(codex.cwd, 'sum.mjs')
    writeFileSync(file, wrong)
    writeFileSync(join(codex.cwd, 'check.mjs'), check)
    await codex.say(`Mend the sum. <**stopMessage:"${followup}",1**>`)
    const session = await engine.control.session((s) => s.shape === 'done', 60_000)

    expect(readFileSync(file, 'utf8')).toBe(right)
    const turns = mock.turns()
    expect(turns.map((r) => r.lastUserText?.trim().split('\n').at(-1) ?? null)).toEqual([
      'Mend the sum.',
      null,
      null,
      null,
      followup,
    ])
    const [asked, , , ran, last] = turns.map(seenByProvider)
    expect(asked?.tools).toEqual(expect.arrayContaining([...toolbox.tools]))
    const results = ran?.results.join('\n')
    expect(results).toContain(wrong.trim())
    expect(results).toContain('the sum is 42')
    expect(results).toContain('2 sum.mjs')
    const seals = type === 'anthropic' ? turns.slice(0, 2).map(({ n }) => `sig_mock${n}`) : [null, null]
    expect(last?.thinking).toEqual([
      { text: first.thinking, seal: seals[0] },
      { text: second.thinking, seal: seals[1] },
    ])
    expect(mock.problems).toEqual([])

    expect(session.stopMessage).toMatchObject({
      used: 1,
      max: 1,
      status: { kind: 'done', reason: { code: 'rounds-used' } },
    })
    expect(engine.control.events.filter((e) => e.body.type === 'confirmed')).toHaveLength(1)
    await codex.shows('A minus became a plus.')
    await nothingMore(mock, engine)
  })
})
