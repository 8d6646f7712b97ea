import { asObject } from '../../protocol/values.ts'
import type { Facts } from './facts.ts'
import { readDirections, simulatorWords, type Cut, type Directions } from './words.ts'

export interface ToolCall {
  name: string
  arguments: string
  freeform: boolean
}

/** The simulator's answer before it is put into a protocol's words. */
export interface Reply {
  text: string
  thinking: string
  tools: readonly ToolCall[]
  finish: 'stop' | 'tool-calls' | 'length' | 'refusal'
  cut: Cut | null
  waitMs: number
  gapMs: number
  hang: boolean
  error: { status: number; retryAfter: number | null; times: number | null } | null
}

export const plainReply: Reply = {
  text: '',
  thinking: '',
  tools: [],
  finish: 'stop',
  cut: null,
  waitMs: 0,
  gapMs: 0,
  hang: false,
  error: null,
}

/** Decides by the words of the last user message. The same request gets the same reply. */
export function replyTo(facts: Facts): Reply {
  const asked = readDirections(facts.userText)
  const manner = {
    cut: asked.cut,
    waitMs: asked.waitMs,
    gapMs: asked.gapMs,
    hang: asked.hang,
    error: asked.error,
    thinking: asked.think ?? '',
  }
  const call = facts.schema === null ? asked.tools[facts.round] : undefined
  if (call)
    return {
      ...plainReply,
      ...manner,
      tools: [toolCall(call.name, call.rest, facts.freeform.has(call.name))],
      finish: 'tool-calls',
    }
  return { ...plainReply, ...manner, text: asked.empty ? '' : textFor(facts, asked), finish: asked.finish }
}

export function toolCall(name: string, rest: string, freeform: boolean): ToolCall {
  return { name, arguments: rest === '' && !freeform ? '{}' : rest, freeform }
}

function textFor(facts: Facts, asked: Directions): string {
  if (facts.schema !== null) return JSON.stringify(valueFor(facts.schema))
  if (asked.long !== null) return words(asked.long)
  if (asked.finish === 'refusal') return 'The simulator refuses this, as asked.'
  if (asked.say !== null) return asked.say
  if (asked.echo) return facts.userText
  if (facts.toolResults.length > 0)
    return `Simulator: the tool answered “${excerpt(facts.toolResults.at(-1) ?? '')}”. Nothing more to do.`
  const hint =
    asked.unknown.length > 0
      ? `It does not know “simulate: ${asked.unknown[0]}”; it knows ` +
        `${simulatorWords.map((word) => `“${word.write}”`).join(', ')}.`
      : 'Write “simulate: …” to have it do something else: say, tool, slow, long, error 429, break off.'
  return `This is Onward's built-in simulator, not a model. You wrote: “${excerpt(facts.userText)}”. ${hint}`
}

const excerpt = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 160 ? `${[...line].slice(0, 160).join('')}…` : line
}

function words(count: number): string {
  const some = ['Onward', 'simulates', 'a', 'long', 'answer', 'word', 'by', 'word']
  return Array.from(
    { length: count },
    (_unused, i) => `${some[i % some.length]}${(i + 1) % 8 === 0 ? ` (${i + 1}).` : ''}`,
  ).join(' ')
}

/** Cuts a text into pieces as a model would send them: words with the white space after them. */
export const pieces = (text: string): readonly string[] => text.match(/\s*\S+\s*|\s+/g) ?? []

/** Returns a small value that fits a JSON Schema as clients use it for titles and verdicts. Not a general generator. */
function valueFor(schema: unknown, name = 'value', depth = 0): unknown {
  const s = asObject(schema) ?? {}
  if ('const' in s) return s['const']
  if (Array.isArray(s['enum'])) return s['enum'][0] ?? null
  for (const choice of ['anyOf', 'oneOf', 'allOf']) {
    const options = s[choice]
    if (Array.isArray(options) && options.length > 0) return valueFor(options[0], name, depth + 1)
  }
  const type: unknown = Array.isArray(s['type']) ? s['type'][0] : s['type']
  if (depth > 8) return null
  switch (type) {
    case 'string':
      return name === 'title'
        ? 'Simulated session'
        : `simulated ${name}`.slice(0, typeof s['maxLength'] === 'number' ? s['maxLength'] : 80)
    case 'number':
    // Scores and counts, which often may not be 0.
    case 'integer':
      return typeof s['minimum'] === 'number' ? s['minimum'] : 1
    case 'boolean':
      return false
    case 'null':
      return null
    case 'array':
      return typeof s['minItems'] === 'number'
        ? Array.from({ length: Math.min(s['minItems'], 20) }, () => valueFor(s['items'], name, depth + 1))
        : []
    default:
      return Object.fromEntries(
        Object.entries(asObject(s['properties']) ?? {}).map(([key, value]) => [key, valueFor(value, key, depth + 1)]),
      )
  }
}
