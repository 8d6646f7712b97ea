import { splice } from '../../../json-bytes/index.ts'
import {
  withoutBlanks,
  type AssistantTurn,
  type CallResult,
  type HiddenCall,
  type HiddenHistory,
} from '../../../server-tools/types.ts'
import { folded, heard, type Folded } from '../../convert/testing/exchange.ts'
import { chatCodec } from '../../codec.ts'
import { asList, asObject, asText } from '../../../values.ts'
import { chatServerTools } from '../index.ts'
import { text as visibleText } from '../../facts.ts'
import { filtering, joining } from '../../../join/testing/rounds.ts'

/** How a client keeps its answers. */
export interface ClientWays {
  parts: boolean
  thinking: boolean
  trims: boolean
  marks: boolean
}

type Message = Record<string, unknown>
interface Kept {
  text: string
  calls: readonly string[]
  hidden: HiddenHistory
}

export const names = new Set(['clock'])
const mark = { cache_control: { type: 'ephemeral' } }
const resultOf = (call: HiddenCall): CallResult => ({ call, text: `{"ok":${call.id}}`, isError: false })
const opened = (messages: string): string =>
  messages.slice(0, messages.lastIndexOf(']')).replaceAll(`,${JSON.stringify(mark).slice(1, -1)}`, '')

/**
 * A client, Onward's ledger and a provider that has requests checked, as far as Chat is concerned. `problems` says what
 * went wrong.
 */
export function session(ways: ClientWays, check: (request: unknown) => readonly string[]) {
  const view: Message[] = [{ role: 'system', content: 'Be good.' }]
  const ledger: Kept[] = []
  const problems: string[] = []
  let sent = ''

  const contentOf = (text: string, marked: boolean): unknown =>
    ways.parts ? [{ type: 'text', text, ...(marked ? mark : {}) }] : text

  function clientBody(): Buffer {
    const last = view.length - 1
    const messages = view.map((message, i) =>
      typeof message['text'] === 'string'
        ? { role: message['role'], content: contentOf(message['text'], ways.marks && i >= last - 2), ...rest(message) }
        : message,
    )
    return Buffer.from(JSON.stringify({ model: 'm', stream: true, messages }))
  }
  const rest = ({ role: _role, text: _text, ...others }: Message): Message => others

  function restored(body: Buffer): Buffer {
    const lens = chatCodec.read(body)
    let from = 0
    const edits = chatServerTools.turns(lens).flatMap((turn) => {
      const at = ledger.findIndex((kept, i) => i >= from && isOf(kept, turn))
      const kept = ledger[at]
      if (!kept) return []
      from = at + 1
      return chatServerTools.restore(lens, turn, kept.hidden)
    })
    return splice(body, edits)
  }

  function send(body: Buffer): void {
    for (const problem of check(JSON.parse(body.toString()))) problems.push(problem)
    const lens = chatCodec.read(body)
    const at = lens.place('messages')
    const messages = body.toString('utf8', at?.start, at?.end)
    if (!messages.replaceAll(`,${JSON.stringify(mark).slice(1, -1)}`, '').startsWith(opened(sent)))
      problems.push(`${messages}\ndoes not begin with\n${sent}`)
    sent = messages
  }

  /** The client asks; the provider answers in rounds, each given as its events. @returns what the client got */
  function turn(asked: string, rounds: readonly (readonly string[])[], filler: string): Folded {
    if (view.at(-1)?.['role'] !== 'tool') view.push({ role: 'user', text: asked })
    const first = clientBody()
    let body = restored(first)
    if (!restored(first).equals(body)) problems.push('restored otherwise the second time')
    const joiner = joining('chat', { stream: true })
    const out: Buffer[] = []
    const before: string[] = []
    for (const [i, events] of rounds.entries()) {
      send(body)
      const filter = filtering(chatServerTools.filter(names))
      for (const event of events) out.push(joiner.push(filter.push(Buffer.from(event))))
      const said = chatServerTools.readAnswer(
        { contentType: 'text/event-stream', body: Buffer.from(events.join('')) },
        chatCodec.read(body),
        names,
      )
      const results = said.hidden.map(({ call }) => resultOf(call))
      if (i < rounds.length - 1) {
        const items = [...said.items, ...chatServerTools.resultItems(results)]
        before.push(...items.map(String))
        body = splice(body, chatServerTools.append(chatCodec.read(body), items))
        joiner.endRound('must-come')
        out.push(joiner.keepAlive())
        continue
      }
      const text = folded(heard(Buffer.concat(out).toString()).events).text
      const line = text === '' && said.hidden.length > 0 && said.calls.length === 0 ? filler : null
      if (line !== null) out.push(joiner.say(line))
      out.push(joiner.finish())
      if (before.length > 0 || said.hidden.length > 0) {
        const hidden = {
          before,
          filler: line !== null,
          calls: said.hidden.map(({ json, callsBefore }) => ({ json, callsBefore })),
          results: chatServerTools.resultsBeside(results),
        }
        ledger.push({
          text: withoutBlanks(folded(heard(Buffer.concat(out).toString()).events).text),
          calls: said.calls,
          hidden,
        })
      }
    }
    const got = folded(heard(Buffer.concat(out).toString()).events)
    remember(got)
    return got
  }

  function remember(got: Folded): void {
    const calls = got.calls.map(({ id, name, text }) => ({ id, type: 'function', function: { name, arguments: text } }))
    const text = ways.trims ? got.text.trim() : got.text
    view.push({
      role: 'assistant',
      ...(text === '' ? { content: null } : { text }),
      ...(ways.thinking && got.thinking !== '' ? { reasoning_content: got.thinking } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    })
    for (const { id } of calls) view.push({ role: 'tool', tool_call_id: id, content: `result of ${id}` })
  }

  return {
    turn,
    problems,
    get sent() {
      return sent
    },
    /** the assistant's messages that were sent last */
    get answers() {
      return asList(JSON.parse(sent))
        .map((message) => asObject(message) ?? {})
        .filter((message) => message['role'] === 'assistant')
        .map((message) => ({
          text: visibleText(message['content']),
          thinking: asText(message['reasoning_content']) ?? '',
        }))
    },
  }
}

const isOf = (kept: Kept, turn: AssistantTurn): boolean =>
  kept.text === turn.text && kept.calls.join() === turn.calls.join()
