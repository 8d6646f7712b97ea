import type { AnswerEvent, BlockKind } from '../../protocol/canonical/answer.ts'
import type { WireProtocol } from '../../protocol/canonical/request.ts'
import { tokensOf, type Facts } from './facts.ts'
import { pieces, type Reply } from './reply.ts'

/** A reply as the events of an answer, up to where it is cut. Each protocol's own writer puts them into its words. */
export function answerEvents(reply: Reply, facts: Facts, protocol: WireProtocol, fingerprint: string): AnswerEvent[] {
  const { model } = facts.request
  const output = reply.text + reply.thinking + reply.tools.map((tool) => tool.arguments).join('')
  const none = { input: facts.inputTokens, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  const usage = { ...none, output: outputTokens(output), reasoning: outputTokens(reply.thinking) }
  const seal = { of: protocol, data: Buffer.from(`simulated-signature-${fingerprint}`).toString('base64') }
  const events: AnswerEvent[] = [{ type: 'start', model, usage: none }]
  const add = (block: number, part: BlockKind, text: string, isSealed: boolean): number =>
    events.push(
      { type: 'begin', block, part },
      // Signed are the thoughts of Anthropic's models, and the first call of Google's.
      ...(isSealed && part.kind === 'tool-call' ? [{ type: 'seal', block, seal } as const] : []),
      ...pieces(text).map((piece) => ({ type: 'delta', block, text: piece }) as const),
      ...(isSealed && part.kind === 'thinking' ? [{ type: 'seal', block, seal } as const] : []),
      { type: 'end', block },
    )
  if (reply.thinking !== '') add(0, { kind: 'thinking' }, reply.thinking, protocol === 'messages')
  if (reply.text !== '') add(1, { kind: 'text' }, reply.text, false)
  for (const [i, tool] of reply.tools.entries()) {
    const id = `call_sim_${fingerprint}_${i}`
    const part: BlockKind = { kind: 'tool-call', id, name: tool.name, custom: tool.freeform }
    add(2 + i, part, tool.arguments, protocol === 'gemini' && i === 0)
  }
  const half = events.slice(0, Math.ceil(events.length / 2))
  switch (reply.cut) {
    case 'no end':
      return events
    case 'break off':
      return half
    case 'error event':
      return [...half, { type: 'error', code: 'overloaded_error', message: failed }]
    case null:
      return [...events, { type: 'finish', reason: reply.finish, stopSequence: null, usage }]
  }
}

const failed = 'The simulator sent an error in the middle of its answer, as asked.'

const outputTokens = (text: string): number => (text === '' ? 0 : tokensOf(text.length))
