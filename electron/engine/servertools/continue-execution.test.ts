import { describe, expect, it } from 'vitest'
import type { Language } from '../../../shared/words.ts'
import { turnView } from './testing/tools.ts'
import { createContinueExecution } from './continue-execution.ts'

const tool = (language: Language = 'en', alive = true) =>
  createContinueExecution({ language: () => language, terminalAlive: (id) => alive && id === 't1' })
const run = (
  input: Readonly<Record<string, unknown>> | null,
  {
    language = 'en',
    alive = true,
    terminalId = 't1',
  }: { language?: Language; alive?: boolean; terminalId?: string | null } = {},
) =>
  tool(language, alive).run(
    { id: 'c', name: 'continue_execution', arguments: '', input },
    { turn: turnView({ terminalId }), depth: 0, signal: new AbortController().signal },
  )

describe('continue_execution', () => {
  it.each<[string, Readonly<Record<string, unknown>> | null, Language, string]>([
    ['its summary', { summary: ' Test the parser next. ' }, 'en', 'Test the parser next.'],
    ['the default text where there is none', {}, 'en', 'Continue with the task.'],
    ['the default text for blanks', { summary: ' \n' }, 'en', 'Continue with the task.'],
    ['the default text for what is no text', { summary: 7 }, 'en', 'Continue with the task.'],
    ['the default text for arguments that are no JSON', null, 'en', 'Continue with the task.'],
    ['the default text in Chinese', {}, 'zh-CN', '继续执行'],
  ])('goes on with %s', async (_what, input, language, text) => {
    expect(await run(input, { language })).toMatchObject({ kind: 'continue', text })
  })

  it('refuses where there is nobody to type into', async () => {
    await expect(run({}, { alive: false })).rejects.toMatchObject({ code: 'no-terminal' })
    await expect(run({}, { terminalId: null })).rejects.toMatchObject({ code: 'no-terminal' })
    await expect(run({}, { terminalId: 't2' })).rejects.toMatchObject({ code: 'no-terminal' })
  })

  it('is offered to sessions with a terminal', () => {
    expect(tool().offered(turnView({ terminalId: 't1' }))).toBe(true)
    expect(tool().offered(turnView())).toBe(false)
  })
})
