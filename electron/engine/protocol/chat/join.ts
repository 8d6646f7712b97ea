import type { Place, StreamRounds } from '../join/types.ts'
import { pick, roundCounts } from '../usage-sums.ts'
import { member } from '../json-bytes/index.ts'
import { elementsOf, listOf, rootOf, setMembers } from '../json-bytes/walk.ts'
import type { Frame } from '../answer/frame.ts'
import { sseEvent } from '../sse/write.ts'
import { isSaid } from './convert/members.ts'
import * as facts from './facts.ts'
import { outputCounts, outputInTotal, rawUsage, withUsage } from './facts.ts'
import { asList, asName, asNumber, asObject, parseObject, type JsonObject } from '../values.ts'

/** Stands between the texts of two rounds, which have to share one string. */
const paragraph = '\n\n'

const chatCounts = () => roundCounts({ outputs: outputCounts, total: 'total_tokens', outputInTotal })

const deltasOf = (value: JsonObject): JsonObject[] => facts.choices(value).map(facts.message)
const hasTools = (delta: JsonObject): boolean => facts.calls(delta).length > 0 || facts.legacyCall(delta) !== null

/** Joins Chat streams: every chunk is one completion's, the finish and the usage come once. */
export function chatRounds(): StreamRounds {
  const counts = chatCounts()
  let identity: JsonObject = {}
  const message = messageSoFar()
  /** counts that came before the end of the round under way */
  let early: JsonObject | null = null
  /** the last round had no other counts than `early` */
  let countedEarly = false
  /** what its chunks have in common, from the last one seen */
  let envelope: JsonObject = { object: 'chat.completion.chunk' }

  const ends = (event: Frame): boolean => facts.choices(event.value()).some((choice) => facts.finish(choice) !== null)

  function placeOf(value: JsonObject): Place {
    if (facts.error(value)) return 'drop'
    const deltas = deltasOf(value)
    if (deltas.some(hasTools)) return 'tool'
    if (deltas.some(facts.hasWords)) return 'text'
    return deltas.some(message.lacks) ? 'follow' : 'drop'
  }

  const chunk = (value: JsonObject, choice: (choice: JsonObject) => JsonObject): JsonObject => ({
    ...value,
    ...identity,
    choices: facts.choices(value).map(choice),
  })
  function content(value: JsonObject): Buffer {
    const whole = chunk(value, (choice) => ({
      ...choice,
      delta: message.continued(asObject(choice['delta']) ?? {}),
      finish_reason: null,
    }))
    return Buffer.from(sseEvent('usage' in value ? { ...whole, usage: null } : whole))
  }

  function identify(value: JsonObject): void {
    if (value['choices'] !== undefined) envelope = value
    if (asName(identity['id']) === null && asName(value['id']) !== null) identity = pick(value, ['id', 'created'])
  }

  return {
    endsRound: (event) => facts.isDone(event) || ends(event),
    note(event) {
      const value = event.value()
      if (!value) return
      identify(value)
      early = rawUsage(value) ?? early
      for (const delta of deltasOf(value)) message.note(delta)
    },
    place(value) {
      early = rawUsage(value) ?? early
      return placeOf(value)
    },
    write: content,
    whole(ending) {
      let usage: JsonObject | null = null
      const left: Buffer[] = []
      for (const event of ending) {
        const value = event.value()
        if (!value) continue
        identify(value)
        usage = rawUsage(value) ?? usage
        // Short answers come in one chunk with their finish.
        if (deltasOf(value).some(message.lacks)) left.push(content(value))
      }
      counts.add(usage ?? early)
      countedEarly = usage === null && early !== null
      early = null
      message.nextRound()
      return Buffer.concat(left)
    },
    say: (text) => content({ ...envelope, choices: [{ index: 0, delta: { role: 'assistant', content: text } }] }),
    keepAlive: () => keepAlive,
    ending(events) {
      const total = counts.total()
      const [finish] = events.filter((event) => ends(event))
      // Where no finish reason ends the stream, only the counts show that it is whole.
      const alone =
        countedEarly && !finish ? [Buffer.from(sseEvent({ ...envelope, ...identity, choices: [], usage: total }))] : []
      const written = events.map((event) => {
        const value = event.value()
        if (!value) return event.raw
        const end = withUsage(
          chunk(value, (choice) => ({ ...choice, delta: {} })),
          total,
        )
        return Buffer.from(sseEvent(countedEarly && event === finish ? { ...end, usage: total } : end))
      })
      return Buffer.concat([...alone, ...written])
    },
  }
}

/** The message as the client knows it. */
function messageSoFar() {
  let hasRole = false
  /** members whose words the client has read: of rounds before, and of this one */
  let wordsBefore = new Set<string>()
  let wordsNow = new Set<string>()
  /** entries of `reasoning_details` so far, by their index; every round counts from 0 */
  let detailsBefore = 0
  let details = 0

  function noteWords(delta: JsonObject): void {
    for (const name of facts.wordMembers) if (asName(delta[name]) !== null) wordsNow.add(name)
    for (const value of asList(delta['reasoning_details']))
      details = Math.max(details, (asNumber(asObject(value)?.['index']) ?? -1) + 1)
  }

  return {
    /** true if a delta has anything that the client does not know yet */
    lacks: (delta: JsonObject): boolean =>
      Object.entries(delta).some(([name, value]) => (name === 'role' ? !hasRole : isSaid(value))),
    note(delta: JsonObject): void {
      if (asName(delta['role']) !== null) hasRole = true
      noteWords(delta)
    },
    /** a delta as it continues the message: its role is known, its first text begins a paragraph */
    continued(delta: JsonObject): JsonObject {
      const { role, ...rest } = delta
      const separated = Object.fromEntries(
        facts.wordMembers.flatMap((name) => {
          const words = asName(rest[name])
          return words !== null && wordsBefore.has(name) && !wordsNow.has(name) ? [[name, paragraph + words]] : []
        }),
      )
      const moved = asList(rest['reasoning_details']).map((value) => {
        const index = asNumber(asObject(value)?.['index'])
        return index === null ? value : { ...asObject(value), index: index + detailsBefore }
      })
      const apart = moved.length > 0 && detailsBefore > 0 ? { ...separated, reasoning_details: moved } : separated
      noteWords({ ...rest, ...apart })
      const withRole = hasRole || role === undefined ? {} : { role }
      if (role !== undefined) hasRole = true
      return { ...withRole, ...rest, ...apart }
    },
    nextRound(): void {
      wordsBefore = new Set([...wordsBefore, ...wordsNow])
      wordsNow = new Set()
      detailsBefore = details
    },
  }
}

/** A comment: a `ping` event breaks OpenAI's own SDKs. */
const keepAlive = Buffer.from(': keep-alive\n\n')

/** Joins whole Chat answers: the last one with the words of all, under the first one's id. */
export function joinChat(bodies: readonly Buffer[]): Buffer {
  const counts = chatCounts()
  const values = bodies.map((body) => parseObject(body) ?? {})
  for (const value of values) counts.add(rawUsage(value))
  const last = bodies.at(-1) ?? Buffer.alloc(0)
  const [choice, ...others] = elementsOf(last, 'choices')
  const message = joinedMessage(values.map((value) => facts.wholeMessage(facts.choices(value)[0])))
  return setMembers(last, {
    id: JSON.stringify(values[0]?.['id'] ?? null),
    ...(choice ? { choices: listOf([setMembers(choice, { message: JSON.stringify(message) }), ...others]) } : {}),
    ...changedUsage(values.at(-1) ?? {}, counts.total()),
  })
}

/** The member that holds the counts, with these in it. */
function changedUsage(last: JsonObject, total: JsonObject): Record<string, string> {
  const changed = withUsage(last, total)
  return Object.fromEntries(
    ['usage', 'timings'].flatMap((name) =>
      changed[name] === last[name] ? [] : [[name, JSON.stringify(changed[name])]],
    ),
  )
}

/** The last message with the words of all of them; lists such as annotations are put together. */
function joinedMessage(messages: readonly JsonObject[]): JsonObject {
  const joined: Record<string, unknown> = {}
  for (const message of messages) {
    for (const [name, value] of Object.entries(message)) {
      const before = joined[name]
      if (facts.wordMembers.some((member) => member === name))
        joined[name] =
          [before, value].filter((text) => asName(text) !== null).join(paragraph) || (value ?? before ?? null)
      else if (Array.isArray(before) && Array.isArray(value)) joined[name] = [...before, ...value]
      else joined[name] = value ?? before ?? null
    }
  }
  return joined
}

/** Adds a text of Onward's own after the answer's words; a body that is no answer stays as it is. */
export function sayChat(body: Buffer, text: string): Buffer {
  const said = facts.choices(parseObject(body) ?? {}).map((choice) => asObject(choice['message']))[0]
  const [choice, ...others] = elementsOf(body, 'choices')
  const at = choice && member(choice, rootOf(choice), 'message')
  if (!said || !choice || !at) return body
  const message = choice.subarray(at.start, at.end)
  const content = JSON.stringify([asName(said['content']), text].filter((words) => words !== null).join(paragraph))
  return setMembers(body, {
    choices: listOf([setMembers(choice, { message: setMembers(message, { content }) }), ...others]),
  })
}
