import { readRequest } from '../lens/lens.ts'
import { observeResponse } from '../observe/observer.ts'
import type { EntryCodec } from '../types.ts'
import { chatAnswer } from './answer.ts'
import { chatError, chatErrorEvent } from './errors.ts'
import { needsOf } from '../needs/needs-of.ts'
import { chatReader } from './observe.ts'
import { chatDialect } from './request-lens.ts'

export const chatCodec: EntryCodec = {
  protocol: 'chat',
  read: (body) => readRequest(body, chatDialect),
  needs: needsOf,
  observe: (form, status) => observeResponse(chatReader(), form, status),
  answer: chatAnswer,
  error: chatError,
  errorEvent: chatErrorEvent,
  lastWord: Buffer.from('data: [DONE]\n\n'),
}
