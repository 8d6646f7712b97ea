/**
 * What goes between an ACP client (an editor) and its agent, as pure steps: every line of either side goes on as it is,
 * and a text of Onward's goes in as a prompt of its own, but only while the agent is positively idle.
 */
import type { AskedView } from '../../../shared/state.ts'
import {
  cancelledRequest,
  permissionAsked,
  readMessage,
  sessionOf,
  textOfPrompt,
  textOfUpdate,
  writeMessage,
  type Id,
  type Message,
} from './message.ts'

/** One conversation of the connection: a session of ACP. */
interface Conversation {
  /** the agent has confirmed it, and it was not closed */
  open: boolean
  /** the client cancelled its last prompt, or ours, and has said nothing since */
  stopped: boolean
  /** what both sides said, its end */
  said: string
}

/** A prompt of Onward's. */
type Own =
  | { kind: 'none' }
  | {
      kind: 'under-way'
      id: string
      sessionId: string
      /** the client cancelled it */
      cancelled: boolean
      /** lines of the client for the same conversation, from its next prompt on: they go when this one has ended */
      waiting: readonly Buffer[]
    }

interface Call {
  method: string
  sessionId: string | null
  /** a message that the agent can't answer without a model, as it could a command */
  words?: boolean
}

export interface Bridge {
  conversations: ReadonlyMap<string, Conversation>
  /** the conversation that the client spoke in last */
  front: string | null
  /** requests of the client that the agent has, and has not answered */
  asked: ReadonlyMap<string, Call>
  /** requests of the agent that the client has not answered; null: no question for the person */
  questions: ReadonlyMap<string, AskedView | null>
  own: Own
  /** it has answered a message, so a model was asked */
  answered: boolean
  /** the client said something that can't be read: whether a prompt of its is under way is not known from then on */
  lost: boolean
}

export interface Outgoing {
  to: 'agent' | 'client'
  line: Buffer
}
export interface Step {
  bridge: Bridge
  out: readonly Outgoing[]
}

/** What the agent does, as far as the messages prove it. */
export type Standing =
  | { kind: 'unknown' }
  /** there is no conversation yet */
  | { kind: 'starting' }
  | { kind: 'asks'; asked: AskedView }
  | { kind: 'busy' }
  | { kind: 'stopped' }
  /** `alone`: nothing was said in any other conversation of the connection */
  | { kind: 'idle'; sessionId: string; said: string; alone: boolean; answered: boolean }

export const newBridge: Bridge = {
  conversations: new Map(),
  front: null,
  asked: new Map(),
  questions: new Map(),
  own: { kind: 'none' },
  answered: false,
  lost: false,
}

/** Ids of Onward's own requests begin with this; a client's are numbers, or names of its own. */
const OURS = 'onward:'
/** A conversation is recognised by its last few messages. */
const MOST_SAID = 16_000

/** 1 and "1" are two ids. */
const keyOf = (id: Id): string => JSON.stringify(id)

export function standing({ conversations, front, asked, questions, own, answered, lost }: Bridge): Standing {
  if (lost) return { kind: 'unknown' }
  const question = [...questions.values()].find((one) => one !== null)
  if (question) return { kind: 'asks', asked: question }
  if (own.kind !== 'none' || asked.size > 0 || questions.size > 0) return { kind: 'busy' }
  const shown = front === null ? undefined : conversations.get(front)
  if (front === null || !shown?.open) return { kind: 'starting' }
  if (shown.stopped) return { kind: 'stopped' }
  const alone = [...conversations.values()].filter(({ said }) => said !== '').length <= 1
  return { kind: 'idle', sessionId: front, said: shown.said, alone, answered }
}

/** Sends a text of Onward's. @returns null: the agent is not idle */
export function send(bridge: Bridge, text: string, name: string): Step | null {
  const now = standing(bridge)
  if (now.kind !== 'idle') return null
  const { sessionId } = now
  const id = `${OURS}${name}`
  const content = { type: 'text', text }
  return {
    bridge: {
      ...says(bridge, sessionId, `\n${text}\n`),
      own: { kind: 'under-way', id, sessionId, cancelled: false, waiting: [] },
    },
    out: [
      {
        to: 'client',
        line: writeMessage({
          method: 'session/update',
          params: { sessionId, update: { sessionUpdate: 'user_message_chunk', content } },
        }),
      },
      { to: 'agent', line: writeMessage({ id, method: 'session/prompt', params: { sessionId, prompt: [content] } }) },
    ],
  }
}

export function fromClient(bridge: Bridge, line: Buffer): Step {
  const message = readMessage(line)
  const { own } = bridge
  if (own.kind === 'none' || !concerns(message, own)) return passed(bridge, message, line)
  if (message.kind === 'notification' && message.method === 'session/cancel') {
    const stopped = changed(bridge, own.sessionId, { stopped: true })
    const next: Own = { ...own, cancelled: true }
    if (own.waiting.length === 0) return { bridge: { ...stopped, own: next }, out: [{ to: 'agent', line }] }
    // It means the prompt that waits as well, so it goes behind that; the work under way ends at once.
    const cancel = writeMessage({ method: 'session/cancel', params: { sessionId: own.sessionId } })
    return {
      bridge: { ...stopped, own: { ...next, waiting: [...own.waiting, line] } },
      out: own.cancelled ? [] : [{ to: 'agent', line: cancel }],
    }
  }
  const waits = own.waiting.length > 0 || (message.kind === 'request' && message.method === 'session/prompt')
  if (!waits) return passed(bridge, message, line)
  return { bridge: { ...bridge, own: { ...own, waiting: [...own.waiting, line] } }, out: [] }
}

/** True for what is said in the conversation of our prompt; answers to the agent are part of the work itself. */
function concerns(message: Message, { sessionId, waiting }: Extract<Own, { kind: 'under-way' }>): boolean {
  if (message.kind !== 'request' && message.kind !== 'notification') return false
  const { params } = message
  if (sessionOf(params) === sessionId) return true
  const id = message.method === '$/cancel_request' ? cancelledRequest(params) : undefined
  return id !== undefined && waiting.map(readMessage).some((one) => one.kind === 'request' && one.id === id)
}

function passed(bridge: Bridge, message: Message, line: Buffer): Step {
  return { bridge: heard(bridge, message), out: [{ to: 'agent', line }] }
}

/** The agent has this message of the client. */
function heard(bridge: Bridge, message: Message): Bridge {
  switch (message.kind) {
    case 'blank':
      return bridge
    case 'unread':
      return { ...bridge, lost: true }
    case 'answer':
      return { ...bridge, questions: without(bridge.questions, keyOf(message.id)) }
    case 'notification': {
      const { method, params } = message
      const id = method === '$/cancel_request' ? cancelledRequest(params) : undefined
      const prompt = id === undefined ? undefined : bridge.asked.get(keyOf(id))
      const stops = method === 'session/cancel' ? sessionOf(params) : prompt?.sessionId
      return stops === null || stops === undefined ? bridge : changed(bridge, stops, { stopped: true })
    }
    case 'request': {
      const { id, method, params } = message
      const sessionId = sessionOf(params)
      const text = method === 'session/prompt' ? textOfPrompt(params) : ''
      const asked = new Map(bridge.asked).set(keyOf(id), { method, sessionId, words: /^\s*[^/\s]/.test(text) })
      if (sessionId === null || method !== 'session/prompt') return { ...bridge, asked }
      const spoken = changed(bridge, sessionId, { open: true, stopped: false })
      return { ...says(spoken, sessionId, `\n${text}\n`), asked, front: sessionId }
    }
  }
}

export function fromAgent(bridge: Bridge, line: Buffer): Step {
  const message = readMessage(line)
  const out: Outgoing[] = [{ to: 'client', line }]
  switch (message.kind) {
    case 'blank':
    case 'unread':
      return { bridge, out }
    case 'notification': {
      const sessionId = sessionOf(message.params)
      const said = message.method === 'session/update' ? textOfUpdate(message.params) : null
      if (sessionId === null || said === null) return { bridge, out }
      const answered = bridge.answered || [...bridge.asked.values()].some(({ words }) => words)
      return { bridge: { ...says(bridge, sessionId, said), answered }, out }
    }
    case 'request': {
      const question = message.method === 'session/request_permission' ? questionOf(message.params) : null
      return { bridge: { ...bridge, questions: new Map(bridge.questions).set(keyOf(message.id), question) }, out }
    }
    case 'answer': {
      if (typeof message.id === 'string' && message.id.startsWith(OURS)) return ended(bridge, message.id)
      const call = bridge.asked.get(keyOf(message.id))
      if (!call) return { bridge, out }
      const next = { ...bridge, asked: without(bridge.asked, keyOf(message.id)) }
      return { bridge: message.failed ? next : opened(next, call, message.result), out }
    }
  }
}

/** Our own prompt was answered: what the client said meanwhile goes to the agent now. */
function ended(bridge: Bridge, id: string): Step {
  const { own } = bridge
  if (own.kind === 'none' || own.id !== id) return { bridge, out: [] }
  let next: Bridge = { ...bridge, own: { kind: 'none' } }
  for (const line of own.waiting) next = heard(next, readMessage(line))
  return { bridge: next, out: own.waiting.map((line) => ({ to: 'agent', line })) }
}

function opened(bridge: Bridge, call: Call, result: unknown): Bridge {
  const id = call.sessionId ?? sessionOf(result)
  if (id === null) return bridge
  switch (call.method) {
    case 'session/new':
    case 'session/load':
    case 'session/resume': {
      const next = changed(bridge, id, { open: true })
      // One that nothing was said in yet gives way to the next; else the client has to speak there first.
      const isFresh = next.front === null || saidIn(next, next.front) === ''
      return isFresh ? { ...next, front: id } : next
    }
    case 'session/close':
    case 'session/delete': {
      const next = changed(bridge, id, { open: false })
      if (bridge.front !== id) return next
      return { ...next, front: [...next.conversations].findLast(([, { open }]) => open)?.[0] ?? null }
    }
    default:
      return bridge
  }
}

function questionOf(params: unknown): AskedView {
  const asked = permissionAsked(params)
  return {
    question: asked?.toolCall.title ?? null,
    about: null,
    choices: asked?.options.map(({ name }) => ({ label: name, key: null })) ?? [],
  }
}

const saidIn = ({ conversations }: Bridge, sessionId: string): string => conversations.get(sessionId)?.said ?? ''

function changed(bridge: Bridge, sessionId: string, change: Partial<Conversation>): Bridge {
  const before = bridge.conversations.get(sessionId) ?? { open: false, stopped: false, said: '' }
  return { ...bridge, conversations: new Map(bridge.conversations).set(sessionId, { ...before, ...change }) }
}

const says = (bridge: Bridge, sessionId: string, text: string): Bridge =>
  changed(bridge, sessionId, { said: (saidIn(bridge, sessionId) + text).slice(-MOST_SAID) })

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const next = new Map(map)
  next.delete(key)
  return next
}
