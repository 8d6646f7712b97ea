import { readRequest } from '../lens/lens.ts'
import { observeResponse } from '../observe/observer.ts'
import type { EntryCodec } from '../types.ts'
import { parseObject } from '../values.ts'
import { responsesAnswer } from './answer.ts'
import { echoedMembers, echoObject } from './echo.ts'
import { responsesError, responsesErrorEvent, responsesFailedEvent } from './errors.ts'
import { needsOf } from '../needs/needs-of.ts'
import { responsesReader } from './observe.ts'
import { responsesDialect } from './request-lens.ts'

export const responsesCodec: EntryCodec = {
  protocol: 'responses',
  read: (body) => readRequest(body, responsesDialect),
  needs: needsOf,
  observe: (form, status) => observeResponse(responsesReader(), form, status),
  answer(input) {
    const asked = (input.asked && parseObject(input.asked)) ?? {}
    return responsesAnswer(input, echoObject(echoedMembers((name) => asked[name])))
  },
  error: responsesError,
  errorEvent: responsesErrorEvent,
  failedEvent: responsesFailedEvent,
}
