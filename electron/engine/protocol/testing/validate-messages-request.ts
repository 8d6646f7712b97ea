import { asList, asObject, type JsonObject } from '../values.ts'
import { checkContent } from './validate-messages-content.ts'
import { isCount, type Report } from './validate-messages-shapes.ts'

type Check = (value: unknown) => boolean
const isText: Check = (value) => typeof value === 'string'
const isBoolean: Check = (value) => typeof value === 'boolean'
const isObject: Check = (value) => asObject(value) !== null
const isList: Check = (value) => Array.isArray(value)
const between =
  (from: number, to: number): Check =>
  (value) =>
    typeof value === 'number' && value >= from && value <= to
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value)

const members: Partial<Record<string, Check>> = {
  model: isText,
  max_tokens: isCount,
  messages: isList,
  system: (value) => isText(value) || isList(value),
  stream: isBoolean,
  temperature: between(0, 1),
  top_p: between(0, 1),
  top_k: isCount,
  stop_sequences: isList,
  tools: isList,
  tool_choice: isObject,
  container: (value) => isText(value) || isObject(value),
  context_management: isObject,
  mcp_servers: isList,
  cache_control: isObject,
  inference_geo: isText,
  speed: oneOf('standard', 'fast'),
  thinking: isObject,
  output_config: isObject,
  metadata: isObject,
  service_tier: oneOf('auto', 'standard_only'),
}

/** Returns what Anthropic would refuse in a request, by its documentation; empty if nothing. */
export function validateMessagesRequest(body: JsonObject): string[] {
  const problems: string[] = []
  const report: Report = (problem) => problems.push(problem)
  for (const name of ['model', 'max_tokens', 'messages']) if (!(name in body)) report(`${name}: missing`)
  for (const [name, value] of Object.entries(body)) {
    const check = members[name]
    if (!check) report(`${name}: no member of a request`)
    else if (!check(value)) report(`${name}: ${JSON.stringify(value)} is of no use`)
  }
  for (const [i, block] of asList(body['system']).entries()) checkContent(block, ['text'], `system[${i}]`, report)
  for (const stop of asList(body['stop_sequences']))
    if (typeof stop !== 'string' || stop.trim() === '') report('stop_sequences: white space only')
  const user = asObject(body['metadata'])?.['user_id']
  if (user !== undefined && typeof user !== 'string') report('metadata.user_id: no text')
  checkTools(asList(body['tools']), asObject(body['tool_choice']), report)
  checkThinking(body, report)
  checkOutput(asObject(body['output_config']) ?? {}, report)
  checkMessages(asList(body['messages']), report)
  return problems
}

function checkTools(tools: readonly unknown[], choice: JsonObject | null, report: Report): void {
  const names = new Set<unknown>()
  for (const [i, value] of tools.entries()) {
    const tool = asObject(value) ?? {}
    const at = `tools[${i}]`
    if (names.has(tool['name'])) report(`${at}.name: twice`)
    names.add(tool['name'])
    if (tool['type'] !== undefined && tool['type'] !== 'custom') continue
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(tool['name'])))
      report(`${at}.name: ${String(tool['name'])} is not allowed`)
    if (tool['description'] !== undefined && !isText(tool['description'])) report(`${at}.description: no text`)
    if (asObject(tool['input_schema'])?.['type'] !== 'object') report(`${at}.input_schema.type: not object`)
    if (tool['strict'] !== undefined && !isBoolean(tool['strict'])) report(`${at}.strict: neither true nor false`)
  }
  if (!choice) return
  if (tools.length === 0) report('tool_choice: without tools')
  if (!oneOf('auto', 'any', 'tool', 'none')(choice['type'])) report('tool_choice.type: none of the four')
  if (choice['type'] === 'tool' && !names.has(choice['name'])) report('tool_choice.name: no tool of this name')
  const single = choice['disable_parallel_tool_use']
  if (single !== undefined && (!isBoolean(single) || choice['type'] === 'none'))
    report('tool_choice.disable_parallel_tool_use: not here')
}

function checkThinking(body: JsonObject, report: Report): void {
  const thinking = asObject(body['thinking'])
  if (!thinking || thinking['type'] === 'disabled') return
  if (!oneOf('enabled', 'adaptive')(thinking['type'])) report('thinking.type: none of the three')
  const budget = thinking['budget_tokens'],
    max = body['max_tokens']
  if (thinking['type'] === 'enabled' && !(isCount(budget) && Number(budget) >= 1024 && Number(budget) < Number(max)))
    report('thinking.budget_tokens: not from 1024 to max_tokens')
  if (thinking['type'] === 'adaptive' && budget !== undefined) report('thinking.budget_tokens: not with adaptive')
  if (thinking['display'] !== undefined && !oneOf('summarized', 'omitted')(thinking['display']))
    report('thinking.display: none of the two')
  for (const name of ['temperature', 'top_k']) if (name in body) report(`${name}: not with thinking`)
  if ('top_p' in body && Number(body['top_p']) < 0.95) report('top_p: below 0.95 with thinking')
  if (oneOf('any', 'tool')(asObject(body['tool_choice'])?.['type'])) report('tool_choice: forced with thinking')
}

function checkOutput(output: JsonObject, report: Report): void {
  const format = asObject(output['format'])
  if (output['effort'] !== undefined && !oneOf('low', 'medium', 'high', 'xhigh', 'max')(output['effort']))
    report('output_config.effort: none of the five')
  if (output['format'] !== undefined && (format?.['type'] !== 'json_schema' || !asObject(format['schema'])))
    report('output_config.format: no schema')
  for (const name of Object.keys(format ?? {}))
    if (name !== 'type' && name !== 'schema') report(`output_config.format.${name}: no member`)
  for (const name of Object.keys(output))
    if (name !== 'effort' && name !== 'format') report(`output_config.${name}: no member`)
}

const userBlocks = ['text', 'image', 'document', 'tool_result']
const assistantBlocks = ['text', 'thinking', 'redacted_thinking', 'tool_use']

/** The user begins, roles take turns, and calls are followed by all their results, before everything else. */
function checkMessages(messages: readonly unknown[], report: Report): void {
  let before = ''
  let calls = new Set<unknown>()
  const ids = new Set<unknown>()
  if (messages.length === 0) report('messages: empty')
  for (const [i, value] of messages.entries()) {
    const message = asObject(value) ?? {}
    const role = String(message['role']),
      at = `messages[${i}]`
    const content = message['content']
    const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)).map(
      (block) => asObject(block) ?? {},
    )
    if (!['user', 'assistant', 'system'].includes(role)) report(`${at}.role: ${role} is none`)
    if (i === 0 && role !== 'user') report(`${at}.role: the user begins`)
    if (role === before) report(`${at}.role: ${role} twice in a row`)
    if (role === 'system' && before !== 'user') report(`${at}.role: system not behind the user`)
    if (role === 'user' && before === 'system') report(`${at}.role: system must precede an assistant message`)
    before = role
    if (blocks.length === 0) report(`${at}.content: empty`)
    for (const [j, block] of blocks.entries())
      checkContent(
        block,
        role === 'user' ? userBlocks : role === 'assistant' ? assistantBlocks : ['text'],
        `${at}.content[${j}]`,
        report,
      )
    if (role === 'user') checkResults(blocks, calls, at, report)
    else if (calls.size > 0) report(`${at}: calls without results before it`)
    calls = new Set()
    if (role !== 'assistant') continue
    if (String(blocks.at(-1)?.['type']).endsWith('thinking')) report(`${at}: thinking is the last block`)
    for (const block of blocks) {
      if (block['type'] !== 'tool_use') continue
      if (ids.has(block['id'])) report(`${at}: id ${String(block['id'])} twice`)
      ids.add(block['id'])
      calls.add(block['id'])
    }
  }
  if (calls.size > 0) report('messages: the last calls have no results')
}

function checkResults(blocks: readonly JsonObject[], calls: ReadonlySet<unknown>, at: string, report: Report): void {
  const results = blocks.filter((block) => block['type'] === 'tool_result').map((block) => block['tool_use_id'])
  if (blocks.slice(0, results.length).some((block) => block['type'] !== 'tool_result'))
    report(`${at}: results not in front`)
  for (const id of results) if (!calls.has(id)) report(`${at}: a result of no call: ${String(id)}`)
  if (new Set(results).size < results.length) report(`${at}: two results of one call`)
  for (const id of calls) if (!results.includes(id)) report(`${at}: no result of ${String(id)}`)
}
