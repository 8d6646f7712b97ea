import type { Seal } from '../../canonical/request.ts'
import { sealForClient } from '../../canonical/thinking/seal.ts'

/** No provider's: a thinking block needs a signature, and comes back without a seal. */
const none: Seal = { of: 'chat', data: '' }

/** The signature of a thinking block; one of another vendor is wrapped. */
export const signatureOf = (seal: Seal | null): string => sealForClient(seal ?? none, 'messages')

/** The data of a `redacted_thinking` block, where it is this vendor's own. */
export const redactedData = (seal: Seal | null): string | null =>
  seal?.redacted && seal.of === 'messages' ? seal.data : null

/**
 * A call has no place for a seal (Gemini's thought signature), so an empty thinking block that names the call carries
 * it. The request reader lays it back on the call.
 */
export const carrierOf = (seal: Seal, callId: string | null): string =>
  signatureOf(callId === null ? seal : { ...seal, id: callId })
