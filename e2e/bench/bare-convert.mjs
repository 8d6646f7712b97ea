// The reference `node-convert`: the least that turns Messages into Chat on node:http. Body parsed, mapped, written
// anew; every event of the stream parsed and written as Messages says it. Text and tools only, nothing observed or
// recorded.
import http from 'node:http'

const [upstreamPort] = process.argv.slice(2)
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1024, scheduling: 'lifo' })
const reasons = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' }
const textOf = (content) => (typeof content === 'string' ? content : content.map((block) => block.text).join(''))

function toChat({ model, stream, max_tokens, system, messages: said, tools }) {
  const messages = system ? [{ role: 'system', content: textOf(system) }] : []
  for (const { role, content } of said) {
    if (typeof content === 'string') {
      messages.push({ role, content })
      continue
    }
    let words = ''
    const calls = []
    for (const block of content) {
      if (block.type === 'text') words += block.text
      else if (block.type === 'tool_use')
        calls.push({
          id: block.id,
          type: 'function',
          function: { name: block.name, arguments: JSON.stringify(block.input) },
        })
      else if (block.type === 'tool_result')
        messages.push({ role: 'tool', tool_call_id: block.tool_use_id, content: textOf(block.content) })
    }
    if (calls.length > 0) messages.push({ role, content: words || null, tool_calls: calls })
    else if (words) messages.push({ role, content: words })
  }
  return {
    model,
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    max_tokens,
    messages,
    tools: tools?.map(({ name, description, input_schema }) => ({
      type: 'function',
      function: { name, description, parameters: input_schema },
    })),
  }
}

const usageOf = (usage) => ({ input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 })

function toMessage({ id, choices: [{ message, finish_reason }], usage }, model) {
  const calls = (message.tool_calls ?? []).map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.function.name,
    input: JSON.parse(call.function.arguments),
  }))
  const content = message.content ? [{ type: 'text', text: message.content }, ...calls] : calls
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: reasons[finish_reason] ?? 'end_turn',
    stop_sequence: null,
    usage: usageOf(usage),
  }
}

const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

/** @returns a function that takes text of the upstream's stream and gives that of the client's */
function eventWriter(model) {
  let rest = ''
  let open = null
  let index = -1
  let started = false
  let reason = 'end_turn'
  let usage = usageOf()

  const close = () => {
    const out = open === null ? '' : event({ type: 'content_block_stop', index })
    open = null
    return out
  }
  const begin = (key, content_block) => {
    const out = close()
    open = key
    return out + event({ type: 'content_block_start', index: ++index, content_block })
  }
  function rewrite(data) {
    if (data === '[DONE]')
      return (
        close() +
        event({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage }) +
        event({ type: 'message_stop' })
      )
    const chunk = JSON.parse(data)
    let out = ''
    if (!started)
      out += event({
        type: 'message_start',
        message: {
          id: chunk.id,
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage,
        },
      })
    started = true
    if (chunk.usage) usage = usageOf(chunk.usage)
    const choice = chunk.choices[0]
    if (!choice) return out
    if (choice.finish_reason) reason = reasons[choice.finish_reason] ?? 'end_turn'
    const { content, tool_calls } = choice.delta
    if (content) {
      if (open !== 'text') out += begin('text', { type: 'text', text: '' })
      out += event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: content } })
    }
    for (const call of tool_calls ?? []) {
      if (open !== call.index)
        out += begin(call.index, { type: 'tool_use', id: call.id, name: call.function.name, input: {} })
      if (call.function.arguments)
        out += event({
          type: 'content_block_delta',
          index,
          delta: { type: 'input_json_delta', partial_json: call.function.arguments },
        })
    }
    return out
  }
  return (text) => {
    rest += text
    let out = ''
    let from = 0
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n', from)) {
      if (rest.startsWith('data:', from)) out += rewrite(rest.slice(from + 5, end).trim())
      from = end + 2
    }
    rest = rest.slice(from)
    return out
  }
}

function collect(stream, then) {
  const parts = []
  stream.on('data', (part) => parts.push(part))
  stream.on('end', () => then(JSON.parse(Buffer.concat(parts).toString())))
}

function answerWith(res, answer, { model, stream }) {
  if (answer.statusCode !== 200) {
    res.writeHead(answer.statusCode, { 'content-type': 'application/json' })
    return answer.pipe(res)
  }
  if (!stream) {
    return collect(answer, (json) => {
      const body = Buffer.from(JSON.stringify(toMessage(json, model)))
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      res.end(body)
    })
  }
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const rewritten = eventWriter(model)
  answer.setEncoding('utf8')
  answer.on('data', (text) => {
    const out = rewritten(text)
    if (out !== '' && !res.write(out)) {
      answer.pause()
      res.once('drain', () => answer.resume())
    }
  })
  answer.on('end', () => res.end())
}

const server = http.createServer((req, res) =>
  collect(req, (asked) => {
    const body = Buffer.from(JSON.stringify(toChat(asked)))
    const headers = { 'content-type': 'application/json', authorization: 'Bearer k', 'content-length': body.length }
    const call = http.request(
      { host: '127.0.0.1', port: upstreamPort, path: '/v1/chat/completions', method: 'POST', headers, agent },
      (answer) => answerWith(res, answer, asked),
    )
    call.on('error', () => res.destroy())
    res.on('close', () => {
      if (!res.writableFinished) call.destroy()
    })
    call.end(body)
  }),
)
server.listen(0, '127.0.0.1', 2048, () =>
  process.stdout.write(`${JSON.stringify({ port: server.address().port, pid: process.pid })}\n`),
)
process.on('SIGTERM', () => process.exit(0))
