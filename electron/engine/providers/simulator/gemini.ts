import { pieces, type Reply } from './reply.ts'
import { outputTokens, type SpeakInput, type Spoken } from './spoken.ts'

const reasons = { stop: 'STOP', 'tool-calls': 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' } as const

/** generateContent of the Gemini API. */
export function speakGemini(reply: Reply, { facts, fingerprint }: SpeakInput): Spoken {
  const candidates = outputTokens(reply.text + reply.tools.map((tool) => tool.arguments).join(''))
  const thoughts = outputTokens(reply.thinking)
  const usageMetadata = {
    promptTokenCount: facts.inputTokens,
    candidatesTokenCount: candidates,
    totalTokenCount: facts.inputTokens + candidates + thoughts,
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
  }
  const finishReason = reasons[reply.finish]
  const response = (parts: readonly unknown[], ending: { finishReason?: string } = {}): unknown => ({
    candidates: [{ content: { parts, role: 'model' }, ...ending, index: 0 }],
    usageMetadata,
    modelVersion: facts.model,
    responseId: `sim-${fingerprint}`,
  })
  const thought = (text: string): unknown => ({ text, thought: true })
  const calls = reply.tools.map((tool, i) => ({
    functionCall: { id: `call-sim-${fingerprint}-${i}`, name: tool.name, args: parsed(tool.arguments) },
    ...(i === 0 ? { thoughtSignature: Buffer.from(`simulated-signature-${fingerprint}`).toString('base64') } : {}),
  }))
  const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
  const parts = [
    ...(reply.thinking === '' ? [] : [thought(reply.thinking)]),
    ...(reply.text === '' && calls.length > 0 ? [] : [{ text: reply.text }]),
    ...calls,
  ]
  return {
    json: response(parts, { finishReason }),
    events: [
      ...pieces(reply.thinking).map((piece) => event(response([thought(piece)]))),
      ...pieces(reply.text).map((text) => event(response([{ text }]))),
      ...calls.map((call) => event(response([call]))),
      event(response([{ text: '' }], { finishReason })),
    ],
    closing: 1,
    errorEvent: () =>
      event({
        error: {
          code: 503,
          message: 'The simulator sent an error in the middle of its answer, as asked.',
          status: 'UNAVAILABLE',
        },
      }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // A tool's arguments as a person typed them; they are sent whatever they are.
    return { text, problem: String(error) }
  }
}
