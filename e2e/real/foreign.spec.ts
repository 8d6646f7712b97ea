/** Real agents over providers of other protocols, for a long conversation: with tools, thinking, a limit and an end. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { everything } from '../../shared/testing/runs.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { auxiliaryText } from '../support/mock-upstream/auxiliary.ts'
import { callTool, fail, say, type MockReply } from '../support/mock-upstream/index.ts'
import { nothingMore } from '../support/nothing-more.ts'
import { contextFull } from '../support/real/context-full.ts'
import { agentMissing, realAgents } from '../support/real/index.ts'
import { followup, PATIENT_MS, seenTask, task } from '../support/real/scenarios/stage.ts'
import type { RealAgent } from '../support/real/types.ts'
import { agentWorld } from '../support/real/world.ts'
import { tmuxMissing } from '../support/tmux.ts'

type Provider = RealAgent['provider']

/** Turns of the conversation; `ONWARD_TURNS=30` is what a long one has. */
const turns = Number(process.env.ONWARD_TURNS ?? (everything ? 12 : 6))

type Client = keyof typeof realAgents

const pairs: readonly (readonly [Client, Provider, Provider])[] = [
  ['claude', 'openai-chat', 'gemini'],
  ['claude', 'openai-responses', 'openai-chat'],
  ['claude', 'gemini', 'openai-responses'],
  ['codex', 'anthropic', 'openai-chat'],
  ['codex', 'openai-chat', 'gemini'],
  ['codex', 'gemini', 'anthropic'],
  ['gemini', 'openai-chat', 'anthropic'],
  ['opencode', 'gemini', 'openai-responses'],
  ['qwen', 'anthropic', 'gemini'],
]

/**
 * What Onward types beside the followups: Codex makes room before its next turn, which a word begins; Gemini CLI needs
 * the command as well, and so does Qwen Code, whose own attempt leaves a conversation of this length as it is.
 */
const typed: Readonly<Partial<Record<Client, number>>> = { codex: 1, gemini: 2, qwen: 2 }

/** A limit of hours. */
const limited: MockReply = fail(429, { headers: { 'retry-after': '3600' }, message: 'Rate limit reached for requests' })

/** Each agent's tool that reads a file. */
const reads: Readonly<Record<Client, (file: string) => readonly [name: string, input: object]>> = {
  claude: (file) => ['Read', { file_path: file }],
  codex: (file) => ['exec_command', { cmd: `cat ${file}` }],
  gemini: (file) => ['read_file', { file_path: file }],
  opencode: (file) => ['read', { filePath: file }],
  qwen: (file) => ['read_file', { file_path: file }],
}

/** How each asks for a summary; Gemini has it in one message with what was said before it. */
const asks = new RegExp(
  [
    'Respond with TEXT ONLY',
    'CONTEXT CHECKPOINT COMPACTION',
    'You are the component that summarizes a conversation',
    'First, reason in your <analysis> block',
  ].join('|'),
)

describe.each(pairs)('a real %s over %s, then %s', (client, provider, next) => {
  const agent = realAgents[client]
  describe('as long as a person leaves it alone', unless(firstOf(tmuxMissing, agentMissing(agent))), () => {
    const world = agentWorld({ provider, next })

    it('uses its tools, thinks, outlives a limit, and makes room at the end', { timeout: turns * 50_000 }, async () => {
      const { mock, engine } = world
      let n = 0
      let answered = true
      let file = ''
      let refused = 0
      let compacted = 0
      mock.script((request) => {
        const asksForSummary = request.auxiliary === 'compaction' || asks.test(request.lastUserText ?? '')
        if (asksForSummary) compacted++
        if (asksForSummary) return say(auxiliaryText('compaction', request.json))
        if (request.auxiliary !== null) return undefined
        const begins = request.lastUserText?.includes(followup) || request.lastUserText?.includes(seenTask)
        if (begins && answered) n++
        answered = !begins
        // from its middle on the first provider is at its limit
        if (request.model === 'mock-model' && n > turns / 2) return limited
        if (n === turns && refused === 0) {
          refused++
          return contextFull[next]
        }
        return begins
          ? callTool(...reads[client](file), { thinking: `Part ${n}: first I look.` })
          : say(`Part ${n} is written.`, { thinking: 'So.' })
      })
      const person = await world.start(agent, { how: 'pane' })
      file = join(person.cwd, 'notes.txt')
      writeFileSync(file, 'the notes of the parts\n')
      await person.say(task(turns))
      const session = await engine.control.session((s) => s.shape === 'done', 2 * PATIENT_MS)
      expect(session.stopMessage, person.screen()).toMatchObject({
        used: turns,
        status: { kind: 'done', reason: { code: 'rounds-used' } },
      })
      await nothingMore(mock, engine)
      expect(mock.problems).toEqual([])
      const by = (model: string) => mock.turns().filter((request) => request.model === model)
      expect(by('mock-model').length).toBeGreaterThan(turns / 2)
      expect(by('next-model').length).toBeGreaterThan(turns / 2)
      // What was read came back to both, and the full context was made smaller.
      for (const model of ['mock-model', 'next-model'])
        expect(by(model).some(({ body }) => body.includes('the notes of the parts'))).toBe(true)
      expect(refused).toBe(1)
      expect(compacted).toBeGreaterThan(0)
      const confirmed = engine.control.events.filter(({ body }) => body.type === 'confirmed')
      expect(confirmed).toHaveLength(turns + (typed[client] ?? 0))
    })
  })
})
