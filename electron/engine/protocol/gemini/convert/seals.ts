import { sealForClient, sealFromClient } from '../../canonical/thinking/seal.ts'
import type { Seal } from '../../canonical/request.ts'

/**
 * A signature on answer text, not on a thought or a call, is carried as a thinking part without text after that text;
 * its seal is marked so that it returns to the text and not to a call that follows.
 */
const ofText = 'text'
export const sealOfText = (data: string): Seal => ({ of: 'gemini', data, id: ofText })
export const isSealOfText = (seal: Seal): boolean => seal.of === 'gemini' && seal.id === ofText

/**
 * base64 of the mark that canonical/thinking/seal.ts puts before a wrapped seal: nine bytes, so that its base64 needs
 * no padding.
 */
const wrapped = Buffer.from('onward.1.').toString('base64')

/** `thoughtSignature` is `bytes` of a protobuf: if it is no base64, Google's typed SDKs refuse the answer. */
export function signatureOf(seal: Seal): string {
  const field = sealForClient(
    seal.of === 'gemini' && !seal.redacted ? { of: 'gemini', data: seal.data } : seal,
    'gemini',
  )
  return field === seal.data ? field : Buffer.from(field).toString('base64')
}

export const sealOf = (signature: string): Seal =>
  sealFromClient(
    signature.startsWith(wrapped) ? Buffer.from(signature, 'base64').toString('utf8') : signature,
    'gemini',
  )
