#!/usr/bin/env node
/**
 * A stand-in agent that asks a person: its first request ends in a tool call, then it opens a permission dialog (as
 * OSC 7501 tells it). Enter answers the dialog; it sends the tool's result, and is idle when the answer came.
 */
const base = process.env.OPENAI_BASE_URL
const key = process.env.OPENAI_API_KEY
const session = process.argv[2]
const messages = [{ role: 'user', content: 'simulate: tool Bash {"command":"make"}' }]

const report = (status) => process.stdout.write(`\x1b]7501;state=${status}\x07`)
async function ask() {
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'x-session-id': session },
    body: JSON.stringify({
      model: 'simulator',
      messages,
      tools: [{ type: 'function', function: { name: 'Bash', parameters: { type: 'object' } } }],
    }),
  })
  const {
    choices: [{ message }],
  } = await response.json()
  messages.push(message)
  return message
}

report('working')
const {
  tool_calls: [call],
} = await ask()
process.stdout.write('Run make?\r\n')
report('blocked:kind=permission')
process.stdin.setRawMode(true)
process.stdin.once('data', async () => {
  report('working')
  messages.push({ role: 'tool', tool_call_id: call.id, content: 'made' })
  await ask()
  report('idle')
})
