// Before anything is measured of a peer: does it answer with what the upstream said, as JSON and as a stream? What only
// fails quickly would look fast.
import { chatBody } from './bodies.mjs'
import { messagesBody } from './messages-body.mjs'

const EVENTS = 20
const entries = {
  chat: {
    path: '/v1/chat/completions',
    bodyOf: chatBody,
    textOf: (json) => json.choices?.[0]?.message?.content,
    deltaOf: (event) => event.choices?.[0]?.delta?.content,
    last: 'data: [DONE]',
  },
  messages: {
    path: '/v1/messages',
    bodyOf: messagesBody,
    textOf: (json) => json.content?.[0]?.text,
    deltaOf: (event) => event.delta?.text,
    last: '"type":"message_stop"',
  },
}

async function ask(target, { path, bodyOf }, stream) {
  const answer = await fetch(`http://127.0.0.1:${target.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench', ...target.headers },
    body: bodyOf(200_000, { stream }),
    signal: AbortSignal.timeout(30_000),
  })
  return { status: answer.status, text: await answer.text() }
}

function textOfStream(text, deltaOf) {
  const events = text.split('\n').filter((line) => line.startsWith('data: {'))
  return events.map((line) => deltaOf(JSON.parse(line.slice(6))) ?? '').join('')
}

/** @returns what is wrong with its answers, or null */
export async function answersRight(target, entry, upstream) {
  const { textOf, deltaOf, last } = entries[entry]
  await fetch(`http://127.0.0.1:${upstream.port}/__config`, {
    method: 'POST',
    body: JSON.stringify({ events: EVENTS, delayMs: 0, stamp: false }),
  })
  try {
    const whole = await ask(target, entries[entry], false)
    if (whole.status !== 200) return `${whole.status} ${whole.text.slice(0, 200)}`
    if (textOf(JSON.parse(whole.text)) !== 'token '.repeat(60)) return `another answer: ${whole.text.slice(0, 200)}`
    const stream = await ask(target, entries[entry], true)
    if (stream.status !== 200) return `of a stream, ${stream.status} ${stream.text.slice(0, 200)}`
    if (textOfStream(stream.text, deltaOf) !== 'token '.repeat(EVENTS) || !stream.text.includes(last))
      return `another stream: ${stream.text.slice(-200)}`
    return null
  } catch (error) {
    return String(error)
  }
}
