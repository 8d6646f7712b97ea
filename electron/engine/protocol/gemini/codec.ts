import { readRequest } from '../lens/lens.ts'
import { observeResponse } from '../observe/observer.ts'
import type { EntryCodec } from '../types.ts'
import { geminiAnswer } from './answer.ts'
import { geminiError, geminiErrorElement, geminiErrorEvent } from './errors.ts'
import { needsOf } from '../needs/needs-of.ts'
import { geminiReader } from './observe.ts'
import { geminiPathFor, geminiStreamForm, readGeminiPath } from './path.ts'
import { geminiDialect } from './request-lens.ts'

export const geminiCodec: EntryCodec = {
  protocol: 'gemini',
  read(body, path = '') {
    const asked = readGeminiPath(path)
    const streamForm = asked && geminiStreamForm(asked)
    return readRequest(body, geminiDialect, {
      model: asked?.model ?? null,
      stream: streamForm !== null,
      ...(streamForm === null ? {} : { streamForm }),
    })
  },
  needs: needsOf,
  pathFor: geminiPathFor,
  observe: (form, status) => observeResponse(geminiReader(), form, status),
  answer: geminiAnswer,
  error: geminiError,
  errorEvent: (input) => (input.streamForm === 'json-array' ? geminiErrorElement(input) : geminiErrorEvent(input)),
}
