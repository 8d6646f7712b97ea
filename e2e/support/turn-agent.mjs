#!/usr/bin/env node
/**
 * A small agent that really talks to the proxy: what is submitted in its composer becomes the next user message of
 * one conversation, the streamed answer is shown, then it is idle again. It goes on asking for as long as nobody
 * answers, as agents do while the engine is away. Called with Codex's `-c model_providers.…` it speaks Responses to
 * that base URL, with Codex's sign, else Chat Completions to `OPENAI_BASE_URL`.
 *
 *   --log FILE      one JSON line for everything: `start`, `read` (bytes as they came), `composer`, `submit`, `ask`,
 *                   `call` (a tool the model called), `failed`, `gave-up`, `answer`
 *   --session ID    sent as header `session_id`
 *   --resume FILE   the log of the one before, whose conversation it shows and goes on with
 *   --patience N    gives a turn up after N refusals, tells of it and waits for the next message; without it: for ever
 *   --tools         declares a tool `look`, and is content with whatever is called
 *   --think-ms N    up to N ms, each time other ones, between Enter and the request
 *
 * A message that says `drawn late` is asked at once, and nothing shows that it was taken until its answer is there.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { createComposer, statusReport } from './composer.mjs'

const words = process.argv.slice(2)
const value = (name) => words[words.indexOf(name) + 1]
const note = (type, facts) => appendFileSync(value('--log'), `${JSON.stringify({ type, at: Date.now(), ...facts })}\n`)
const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
const patience = words.includes('--patience') ? Number(value('--patience')) : Infinity
const thinkMs = words.includes('--think-ms') ? Number(value('--think-ms')) : 0

const tool = { name: 'look', description: 'Looks at a place', parameters: { type: 'object', properties: {} } }
const tools = words.includes('--tools') ? [tool] : []

const codexBase = /base_url="([^"]+)"/.exec(words.find((word) => word.startsWith('model_providers.')) ?? '')?.[1]
const wire = codexBase ? responses(codexBase) : chat(process.env.OPENAI_BASE_URL)

const history = []
const shown = ['stand-in agent']
const waiting = []
if (words.includes('--resume'))
  for (const line of readFileSync(value('--resume'), 'utf8').trim().split('\n')) {
    const { type, text, answer } = JSON.parse(line)
    if (type === 'submit') say('user', text)
    if (type === 'answer') say('assistant', answer)
  }
let working = false
let turns = 0

const composer = createComposer({
  placeholder: 'Ask Codex to do anything',
  changed: (text) => note('composer', { text }),
  submit(text) {
    note('submit', { text })
    waiting.push(text)
    drawsLate = text.includes('drawn late')
    void work()
  },
  quit: () => quit(0),
})
const write = (data) => process.stdout.write(data)
let drawsLate = false
const draw = () => {
  if (drawsLate) return
  write(
    composer.draw(
      process.stdout.columns ?? 80,
      process.stdout.rows ?? 24,
      working ? [...shown, '• Working (esc to interrupt)'] : shown,
    ),
  )
}

async function work() {
  if (working) return
  working = true
  if (!drawsLate) write(statusReport('working'))
  draw()
  for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
    const n = ++turns
    say('user', text)
    if (thinkMs > 0 && !drawsLate) await pause((n * 37) % thinkMs)
    const answer = await asked(n)
    drawsLate = false
    if (answer === null) {
      note('gave-up', { n })
      shown.push('■ the provider refused')
      continue
    }
    note('answer', { n, answer })
    say('assistant', answer)
    if (history.length > 20) history.splice(0, history.length - 20)
  }
  working = false
  write(statusReport('done'))
  draw()
}

function say(role, content) {
  history.push({ role, content })
  shown.push(role === 'user' ? `> ${content}` : content)
}

/** For ever, unless told otherwise: the engine may be away, and comes back. */
async function asked(n) {
  for (let attempt = 1; ; attempt++) {
    try {
      note('ask', { n, attempt })
      return await ask()
    } catch (error) {
      note('failed', {
        n,
        attempt,
        why: `${error instanceof Error ? error.message : error} ${error?.cause?.code ?? ''}`,
      })
      if (attempt >= patience) return null
      await pause(Math.min(1_000, 40 * attempt))
    }
  }
}

async function ask() {
  const response = await fetch(wire.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${process.env.ONWARD_KEY}`,
      session_id: value('--session'),
      ...(codexBase ? { originator: 'codex-tui' } : {}),
    },
    body: JSON.stringify({ model: 'mock-model', stream: true, ...wire.body(history) }),
  })
  if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`)
  let answer = ''
  let whole = false
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body) {
    rest += decoder.decode(bytes, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (!line.startsWith('data:')) continue
      const data = line.slice(5).trim()
      if (data === '[DONE]') {
        whole = true
        continue
      }
      const event = JSON.parse(data)
      answer += wire.delta(event) ?? ''
      for (const name of wire.calls(event)) note('call', { name })
      whole ||= wire.isLast(event)
    }
  }
  if (!whole) throw new Error('the answer broke off')
  return answer
}

function chat(base) {
  return {
    url: `${base}/chat/completions`,
    body: (messages) => ({
      messages,
      stream_options: { include_usage: true },
      ...(tools.length > 0 ? { tools: tools.map((one) => ({ type: 'function', function: one })) } : {}),
    }),
    delta: (event) => event.choices?.[0]?.delta?.content,
    calls: (event) => (event.choices?.[0]?.delta?.tool_calls ?? []).flatMap((call) => call.function?.name ?? []),
    isLast: () => false,
  }
}

function responses(base) {
  return {
    url: `${base}/responses`,
    body: (messages) => ({
      input: messages.map(({ role, content }) => ({
        type: 'message',
        role,
        content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: content }],
      })),
      store: false,
      ...(tools.length > 0 ? { tools: tools.map((one) => ({ type: 'function', ...one })) } : {}),
    }),
    delta: (event) => (event.type === 'response.output_text.delta' ? event.delta : ''),
    calls: (event) =>
      event.type === 'response.output_item.added' && event.item.type === 'function_call' ? [event.item.name] : [],
    isLast: (event) => event.type === 'response.completed',
  }
}

function quit(code) {
  write(`${statusReport('clear')}\x1b[?2004l\x1b[?25h\r\n`)
  process.stdin.setRawMode?.(false)
  process.exit(code)
}

process.stdin.setRawMode?.(true)
process.stdin.on('data', (data) => {
  note('read', { text: data.toString() })
  composer.take(data)
  draw()
})
process.stdin.on('end', () => process.exit(0))
process.stdout.on('resize', draw)
process.on('SIGTERM', () => quit(143))
write(`\x1b[?2004h${statusReport('idle')}`)
draw()
note('start', { pid: process.pid })
