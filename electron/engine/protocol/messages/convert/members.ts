import type { KnownMembers } from '../../canonical/note-members.ts'

/** Members of a message that are read (Message of @anthropic-ai/sdk). */
export const messageMembers: KnownMembers = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
])

/** The members of each event, its block and message aside. */
export const eventMembers: Partial<Record<string, KnownMembers>> = {
  message_start: new Set(['type', 'message']),
  message_delta: new Set(['type', 'delta', 'usage']),
  message_stop: new Set(['type']),
  content_block_start: new Set(['type', 'index', 'content_block']),
  content_block_delta: new Set(['type', 'index', 'delta']),
  content_block_stop: new Set(['type', 'index']),
}

export const deltaMembers: Partial<Record<string, KnownMembers>> = {
  text_delta: new Set(['type', 'text']),
  thinking_delta: new Set(['type', 'thinking']),
  input_json_delta: new Set(['type', 'partial_json']),
  signature_delta: new Set(['type', 'signature']),
  citations_delta: new Set(['type', 'citation']),
}

export const endMembers: KnownMembers = new Set(['stop_reason', 'stop_sequence', 'stop_details'])
