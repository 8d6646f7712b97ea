import type { MockRequest } from '../mock-upstream/index.ts'

/**
 * What a person, or Onward in their place, said in a turn: agents put what they tell a model of the folder in front of
 * it, and reminders around it. Null where the turn only brings a tool's result, or is the agent's own wish to go on
 * behind an answer that broke off (Qwen Code 0.24.4).
 */
export function told({ lastUserText }: Pick<MockRequest, 'lastUserText'>): string | null {
  const text = (lastUserText ?? '').replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim()
  return text === '' || text.startsWith('The connection dropped mid-response. Resume directly')
    ? null
    : (text.split('\n').at(-1) ?? null)
}
