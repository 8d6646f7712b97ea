import type { ReadContext } from '../../canonical/codec.ts'
import { errorIn } from '../../observe/errors.ts'
import { asName, asObject, asText, type JsonObject } from '../../values.ts'
import { knownMeaning } from '../../finish-names.ts'
import * as facts from '../facts.ts'
import { endOfMessage, sayRefusal } from './finish.ts'
import { noteMembers } from '../../canonical/note-members.ts'
import { messageMembers } from './members.ts'
import { beginBlock, endBlock, sayLeftSearches, type Searches } from './read-block.ts'
import { usageOfMessage } from '../usage-dialects.ts'

export function readMessagesBody(body: JsonObject, context: ReadContext): void {
  const { emit, dropped } = context
  const error = errorIn(body)
  if (error) return emit({ type: 'error', ...error })
  if (!Array.isArray(body['content']))
    return emit({
      type: 'error',
      code: 'bad-answer',
      message: 'The answer of the provider is no message: it has no content.',
    })
  const usage = usageOfMessage(facts.usage(body) ?? {})
  emit({ type: 'start', model: asName(body['model']), usage })
  let blocks = 0
  let hasToolUse = false
  const searches: Searches = new Map()
  for (const content of facts.blocks(body)) {
    const block = beginBlock(content, blocks, searches, context)
    if (block.block !== null) blocks++
    hasToolUse ||= block.kind === 'tool-call'
    endBlock(block, context)
  }
  blocks += sayLeftSearches(searches, blocks, context)
  noteMembers(body, messageMembers, '', dropped)
  const reason = facts.finish(body)
  if (reason !== null && knownMeaning(reason) === null) dropped('stop_reason')
  const end = endOfMessage(reason, hasToolUse)
  if (end.kind === 'failed') return emit({ type: 'error', code: end.code, message: end.message })
  sayRefusal(asObject(body['stop_details']), blocks, context)
  emit({ type: 'finish', reason: end.reason, stopSequence: asText(body['stop_sequence']), usage })
}

/** Returns code and message of an error body or event. */
export function readMessagesError(body: JsonObject): { code: string | null; message: string | null } {
  return errorIn(body) ?? { code: null, message: null }
}
