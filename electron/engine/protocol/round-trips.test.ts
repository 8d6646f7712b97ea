import { describe, expect, it } from 'vitest'
import { wireProtocols, type WireProtocol } from './canonical/request.ts'
import { cameBack, mustComeBack } from './testing/round-trip/come-back.ts'
import { forms, secondRequest } from './testing/round-trip/loop.ts'
import { modelTurns } from './testing/round-trip/providers.ts'
import { validateChatRequest } from './testing/validate-chat.ts'
import { validateGeminiRequest } from './testing/validate-gemini.ts'
import { validateMessagesRequest } from './testing/validate-messages-request.ts'
import { validateResponsesRequest } from './testing/validate-responses.ts'
import type { JsonObject } from './values.ts'

const pairs = wireProtocols.flatMap((client) =>
  wireProtocols.filter((provider) => provider !== client).map((provider) => ({ client, provider })),
)
const requestProblems: Record<WireProtocol, (body: JsonObject) => string[]> = {
  chat: validateChatRequest,
  responses: validateResponsesRequest,
  messages: validateMessagesRequest,
  gemini: validateGeminiRequest,
}

describe.each(pairs)('a client of $client with a provider of $provider', ({ client, provider }) => {
  describe.each(modelTurns[provider])('$shows', (turn) => {
    it.each(forms)('comes back as the model made it, from a %s', (form) => {
      const body = secondRequest(client, provider, turn, form)
      expect(requestProblems[provider](body)).toEqual([])
      expect(cameBack(provider, body)).toEqual(mustComeBack(provider, turn))
      for (const id of turn.calls) expect(JSON.stringify(body)).toContain(`result of ${id}`)
    })
  })
})
