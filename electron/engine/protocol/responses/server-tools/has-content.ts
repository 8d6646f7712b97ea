import { mostFrameValues } from '../../answer/frame.ts'
import { holdsMoreValues } from '../../json-bytes/count-values.ts'
import { mostEmptyBytes, solidText } from '../../server-tools/solid-text.ts'
import { asList, asName, asObject, asText, parseObject, type JsonObject } from '../../values.ts'
import { kindOfItem } from '../item-kinds.ts'

/**
 * True if events or a body hold something the model produced. An empty delta, or a message or reasoning item that only
 * begins, does not count; a thought may be sealed, without any text. Keys are matched with their quotes, which text
 * inside a string can't have without a backslash. Only the output of a response counts: the rest repeats the request,
 * including `instructions` and tools with texts of their own.
 */
export function hasContent(chunk: Buffer): boolean {
  // Reading that much would take too long, and an answer without content holds less.
  if (chunk.length > mostEmptyBytes || holdsMoreValues(chunk, mostFrameValues)) return true
  const first = chunk.findIndex((c) => !blanks.has(c))
  if (chunk[first] === brace) {
    const body = parseObject(chunk)
    return body !== null && outputSays(body)
  }
  return (
    signs.some((sign) => chunk.includes(sign)) &&
    chunk
      .toString('latin1')
      .split(/\r?\n\r?\n/)
      .some(eventSays)
  )
}
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const brace = 0x7b

const signs: readonly string[] = ['.delta"', '_text"', '"refusal"', '"annotations"', '.annotation.added"', '"response.']

function eventSays(event: string): boolean {
  const parsed = wholes.test(event) ? dataOf(event) : null
  if (!parsed) return said.test(event)
  const response = asObject(parsed['response'])
  if (response) return outputSays(response)
  const item = asObject(parsed['item'])
  return item !== null && itemSays(item)
}

/** Events with a whole response or item in them. */
const wholes = /"type":\s*"response\.(?:created|queued|in_progress|completed|incomplete|failed|output_item\.\w+)"/

/** Reading the bytes as Latin-1 is enough: everything that is searched for is ASCII. */
const dataOf = (event: string): JsonObject | null =>
  parseObject(
    Buffer.from(
      event
        .split(/\r?\n/)
        .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []))
        .join('\n'),
      'latin1',
    ),
  )

/** Deltas, texts and parts that are not empty, a citation, a part of a kind without text. */
const said = new RegExp(
  [
    `"(?:delta|text|refusal)":\\s*${solidText}`,
    '"annotations":\\s*\\[\\s*\\{',
    '"type":\\s*"response\\.output_text\\.annotation\\.added"',
    '"part":\\s*\\{\\s*"type":\\s*"(?!(?:output_text|refusal|reasoning_text|summary_text|text)")',
  ].join('|'),
)

const outputSays = (response: JsonObject): boolean =>
  asList(response['output']).some((item) => itemSays(asObject(item) ?? {}))

function itemSays(item: JsonObject): boolean {
  if (kindOfItem(item).kind !== 'words') return true
  return (
    asName(item['encrypted_content']) !== null ||
    isSolid(item['content']) ||
    [...asList(item['content']), ...asList(item['summary'])].some((part) => partSays(asObject(part) ?? {}))
  )
}

/** A part without text or refusal is of another kind, such as an image. */
function partSays(part: JsonObject): boolean {
  const text = part['text'] ?? part['refusal']
  return text === undefined || isSolid(text) || asList(part['annotations']).length > 0
}

const isSolid = (text: unknown): boolean => (asText(text)?.trim() ?? '') !== ''
