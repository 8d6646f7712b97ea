import { readRequest } from '../lens/lens.ts'
import { observeResponse } from '../observe/observer.ts'
import type { EntryCodec } from '../types.ts'
import { messagesAnswer } from './answer.ts'
import { messagesError, messagesErrorEvent } from './errors.ts'
import { needsOf } from '../needs/needs-of.ts'
import { messagesReader } from './observe.ts'
import { messagesDialect } from './request-lens.ts'

export const messagesCodec: EntryCodec = {
  protocol: 'messages',
  read: (body) => readRequest(body, messagesDialect),
  needs: needsOf,
  observe: (form, status) => observeResponse(messagesReader(), form, status),
  answer: messagesAnswer,
  error: messagesError,
  errorEvent: messagesErrorEvent,
}
