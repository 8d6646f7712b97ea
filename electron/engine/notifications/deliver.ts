import type { OutsideKind } from '../../../shared/notifications.ts'
import type { Clock } from '../base/clock.ts'
import { createRedactor } from '../base/redact.ts'
import type { Transport } from '../providers/types.ts'
import type { Address } from './addresses.ts'
import { readAnswer, type Verdict } from './answer.ts'
import { payloadFor } from './payload.ts'
import { post } from './post.ts'
import type { OutsideMessage } from './types.ts'

export interface DeliverDeps {
  transport: Transport
  clock: Clock
  version: string
  kind: OutsideKind
  address: Address
}

/** One message, sent once. */
export async function deliver(
  { transport, clock, version, kind, address }: DeliverDeps,
  message: OutsideMessage,
  signal: AbortSignal,
): Promise<Verdict> {
  if (!address.ok)
    return { kind: 'refused', why: { code: 'no-address', why: address.why }, again: false, afterMs: null }
  const { url, token } = address.value
  const posted = await post({ transport, clock }, payloadFor(kind, address.value, message, version), signal)
  if (posted.kind !== 'answer') return { kind: 'refused', why: { code: posted.kind }, again: true, afterMs: null }
  // An error page may repeat what it was asked for.
  const { pathname, search } = new URL(url)
  const redactor = createRedactor([url, pathname, search, ...(token === null ? [] : [token])])
  return readAnswer(posted.answer, clock.now(), redactor.text)
}
