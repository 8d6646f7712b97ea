import { addPiece } from '../../canonical/add-piece.ts'
import type { ImagePart, Message, Seal, ThinkingPart } from '../../canonical/request.ts'
import { asName, asObject, asText, type JsonObject } from '../../values.ts'
import type { CallIds } from './call-ids.ts'
import { camelled, noteUnread } from './members.ts'
import { readMedia } from './read-media.ts'
import { sealOf, sealOfText } from './seals.ts'

export type AssistantPart = Extract<Message, { role: 'assistant' }>['parts'][number]

interface Reading {
  ids: CallIds
  unread: Set<string>
}

const members = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'functionCall',
  'inlineData',
  'fileData',
  'mediaResolution',
])
const callMembers = new Set(['id', 'name', 'args'])

export function addModelPart(parts: AssistantPart[], part: JsonObject, { ids, unread }: Reading): void {
  noteUnread(part, members, 'contents[].parts[].', unread)
  const signature = asName(part['thoughtSignature'])
  const seal = signature === null ? null : sealOf(signature)
  const call = asObject(part['functionCall'])
  const text = asText(part['text'])
  if (call) return addCall(parts, camelled(call), seal, ids, unread)
  if (part['thought'] === true) {
    if (text || seal) addThought(parts, text ?? '', seal)
    return
  }
  const image = text === null ? readImage(part, unread) : null
  if (image) parts.push(image)
  else if (text) addPiece(parts, { type: 'text', text })
  if (seal)
    parts.push({
      type: 'thinking',
      text: '',
      seal: seal.of === 'gemini' && seal.id === undefined ? sealOfText(seal.data) : seal,
    })
}

/** The signature of a streamed thought comes with its last piece. */
function addThought(parts: AssistantPart[], text: string, seal: Seal | null): void {
  const last = parts.at(-1)
  const open: ThinkingPart | null =
    last?.type === 'thinking' && !last.seal && !seal?.redacted && !seal?.phase ? last : null
  if (open) parts[parts.length - 1] = { type: 'thinking', text: open.text + text, seal }
  else parts.push({ type: 'thinking', text, seal })
}

function addCall(parts: AssistantPart[], call: JsonObject, seal: Seal | null, ids: CallIds, unread: Set<string>): void {
  noteUnread(call, callMembers, 'contents[].parts[].functionCall.', unread)
  const name = asText(call['name']) ?? ''
  parts.push({
    type: 'tool-call',
    id: ids.call(asName(call['id']), name),
    name,
    arguments: JSON.stringify(call['args'] ?? {}),
    custom: false,
    seal,
  })
}

/** The canonical turn has no place for sounds and documents that a model makes. */
function readImage(part: JsonObject, unread: Set<string>): ImagePart | null {
  const media = readMedia(part, 'contents[].parts[].', unread)
  if (media && media.type !== 'image')
    unread.add(`contents[].parts[].${asObject(part['inlineData']) ? 'inlineData' : 'fileData'}`)
  return media?.type === 'image' ? media : null
}
