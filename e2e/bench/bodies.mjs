// Request bodies like the ones agents send: a long system text, many tools, a history of tool rounds. Seeded, so that
// every run and every target gets the same bytes.

const words = (
  'the file reads lines from a stream and writes them back when the ' +
  'buffer is full so that nothing is lost on the way 保存 of the run'
).split(' ')

export function prose(length, seed) {
  let x = seed >>> 0
  let out = ''
  while (out.length < length) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    out += `${words[x % words.length]}${x % 11 === 0 ? '.\n' : ' '}`
  }
  return out.slice(0, length)
}

const lines = [
  'import { readFile } from "node:fs/promises"',
  'export async function load(path) {',
  '\tconst text = await readFile(path, "utf8") // 读取文件',
  '\tif (!text.trim()) throw new Error(`nothing in ${path}`)',
  '\treturn text.split(/\\r?\\n/).map((line) => line.replaceAll("\\t", "  "))',
  '}',
  '    at Object.<anonymous> (/usr/src/app/test/load.test.ts:42:11)',
]

/** What tools give back and agents write: source text, whose quotes and line ends JSON has to escape. */
export function source(length, seed) {
  let x = seed >>> 0
  let out = ''
  while (out.length < length) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    out += `${(x >>> 8) % 900}\t${lines[(x >>> 16) % lines.length]}\n`
  }
  return out.slice(0, length)
}

export const tool = (i) => ({
  type: 'function',
  function: {
    name: `tool_${i}`,
    description: prose(600, i),
    parameters: {
      type: 'object',
      properties: { path: { type: 'string', description: prose(80, i + 99) }, lines: { type: 'integer' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
})

/** A Chat request of about `bytes` bytes. `marker` puts a marker into an old user message: an edit is forced. */
export function chatBody(bytes, { stream = false, marker = false } = {}) {
  const small = bytes < 10_000
  const body = {
    model: 'mock-model',
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages: [{ role: 'system', content: prose(small ? 300 : 12_000, 1) }],
    tools: Array.from({ length: small ? 1 : 14 }, (_, i) => tool(i)),
  }
  for (let i = 0; JSON.stringify(body).length < bytes - 300; i++) {
    const left = bytes - JSON.stringify(body).length
    body.messages.push({
      role: 'user',
      content: prose(Math.min(400, left), i) + (marker && i === 0 ? ' <**sm:on/3**>' : ''),
    })
    if (!small) {
      body.messages.push({
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: `call_${i}`,
            type: 'function',
            function: {
              name: 'tool_1',
              arguments: JSON.stringify({ path: `src/file-${i}.ts`, text: source(500, i + 5) }),
            },
          },
        ],
      })
      body.messages.push({
        role: 'tool',
        tool_call_id: `call_${i}`,
        content: source(Math.min(5_000, Math.max(100, left - 2_000)), i + 7),
      })
      body.messages.push({ role: 'assistant', content: prose(300, i + 3) })
    }
  }
  body.messages.push({ role: 'user', content: 'Go on with the next step.' })
  return Buffer.from(JSON.stringify(body))
}
