/** The caller's side of the exchange in proof.ts: it sends nothing of use before the engine has proved itself. */
import { parseJson } from '../parse-json.ts'
import { isProof, newNonce, proofOf, signatureOf, type AuthMessage, type Credential, type Exchange } from './proof.ts'

/** The part of a WebSocket that is used here, of a browser's and of `ws` alike. */
export interface PlainSocket {
  send(data: string): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: () => void): void
  removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  removeEventListener(type: 'close', listener: () => void): void
}

export type Proved =
  | { kind: 'admitted'; exchange: Exchange }
  /** what answers there does not hold the key */
  | { kind: 'stranger' }
  /** it closed before it was over */
  | { kind: 'closed' }

/** Call on an open socket, before anything else is sent on it. The engine waits for the caller's next word then. */
export async function proveToEngine(socket: PlainSocket, { id, key, own }: Credential, path: string): Promise<Proved> {
  const heard = inbox(socket)
  const say = (message: AuthMessage) => socket.send(JSON.stringify(message))
  try {
    const callerNonce = newNonce()
    say({ type: 'auth-hello', id, nonce: callerNonce })
    const first = await heard.next()
    if (first === null) return { kind: 'closed' }
    const challenge = messageOf(first)
    if (challenge?.type !== 'auth-challenge') return { kind: 'stranger' }
    const exchange = { path, id, callerNonce, engineNonce: challenge.nonce }
    if (!(await isProof(key, 'engine', exchange, challenge.proof))) return { kind: 'stranger' }
    say({
      type: 'auth-proof',
      proof: own ? await signatureOf(own, exchange) : await proofOf(key, 'caller', exchange),
    })
    const last = await heard.next()
    if (last === null) return { kind: 'closed' }
    return messageOf(last)?.type === 'auth-ok' ? { kind: 'admitted', exchange } : { kind: 'stranger' }
  } finally {
    heard.dispose()
  }
}

function inbox(socket: PlainSocket): { next(): Promise<string | null>; dispose(): void } {
  const waiting: (string | null)[] = []
  let wake: () => void = () => undefined
  const put = (text: string | null) => {
    waiting.push(text)
    wake()
  }
  const onMessage = ({ data }: { data: unknown }) => put(typeof data === 'string' ? data : '')
  const onClose = () => put(null)
  socket.addEventListener('message', onMessage)
  socket.addEventListener('close', onClose)
  return {
    async next() {
      for (;;) {
        const text = waiting.shift()
        if (text !== undefined) return text
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    dispose() {
      socket.removeEventListener('message', onMessage)
      socket.removeEventListener('close', onClose)
    },
  }
}

/** Read by hand: a page carries no schema library. null: nothing this protocol knows. */
function messageOf(text: string): Extract<AuthMessage, { type: 'auth-challenge' | 'auth-ok' }> | null {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || !('type' in value)) return null
  if (value.type === 'auth-ok') return { type: 'auth-ok' }
  if (value.type !== 'auth-challenge' || !('nonce' in value) || !('proof' in value)) return null
  const { nonce, proof } = value
  return typeof nonce === 'string' && typeof proof === 'string' && /^[A-Za-z0-9_-]{20,200}$/.test(nonce)
    ? { type: 'auth-challenge', nonce, proof }
    : null
}
