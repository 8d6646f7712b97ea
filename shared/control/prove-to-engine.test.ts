import { describe, expect, it } from 'vitest'
import { isProof, newNonce, proofOf, type AuthMessage } from './proof.ts'
import { proveToEngine, type PlainSocket } from './prove-to-engine.ts'

const credential = { id: 'page-1', key: 'key-of-the-page' }
type Hello = Extract<AuthMessage, { type: 'auth-hello' }>

/** The other end of a socket, as a function of the message it gets; null closes. All messages are kept. */
function stranger(answer: (said: AuthMessage) => unknown) {
  const told: string[] = []
  const listeners = { message: new Set<(event: { data: unknown }) => void>(), close: new Set<() => void>() }
  const socket: PlainSocket = {
    send(text) {
      told.push(text)
      queueMicrotask(async () => {
        const data = await answer(JSON.parse(text) as AuthMessage)
        if (data === null) return listeners.close.forEach((listener) => listener())
        if (data !== undefined)
          listeners.message.forEach((listener) =>
            listener({ data: typeof data === 'string' ? data : JSON.stringify(data) }),
          )
      })
    },
    addEventListener: (type: 'message' | 'close', listener: never) => listeners[type].add(listener),
    removeEventListener: (type: 'message' | 'close', listener: never) => listeners[type].delete(listener),
  }
  return { told, socket, listening: () => listeners.message.size + listeners.close.size }
}

describe('whoever does not hold the key', () => {
  const nonce = newNonce()
  const answers: [string, (said: AuthMessage) => unknown][] = [
    ['says that all is well at once', () => ({ type: 'auth-ok' })],
    ['answers with a proof of its own making', () => ({ type: 'auth-challenge', nonce, proof: newNonce() })],
    ['answers with an empty proof', () => ({ type: 'auth-challenge', nonce, proof: '' })],
    [
      'proves another key',
      async (said) => {
        const { id, nonce: callerNonce } = said as Hello
        const exchange = { path: '/control', id, callerNonce, engineNonce: nonce }
        return { type: 'auth-challenge', nonce, proof: await proofOf('another', 'engine', exchange) }
      },
    ],
    [
      'mirrors the caller’s nonce',
      (said) => ({ type: 'auth-challenge', nonce: (said as Hello).nonce, proof: (said as Hello).nonce }),
    ],
    ['mirrors its words', (said) => said],
    ['sends a nonce with line breaks', () => ({ type: 'auth-challenge', nonce: `${nonce}\nx`, proof: nonce })],
    ['gives an order', () => ({ type: 'open', call: 1, spec: {} })],
    ['is no JSON', () => '{'],
    ['is null', () => 'null'],
  ]
  it.each(answers)('%s: it is told an id and a random number, and nothing more', async (_what, answer) => {
    const { socket, told, listening } = stranger(answer)
    expect(await proveToEngine(socket, credential, '/control')).toEqual({ kind: 'stranger' })
    expect(told.map((text) => JSON.parse(text) as unknown)).toEqual([
      { type: 'auth-hello', id: 'page-1', nonce: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) },
    ])
    expect(listening()).toBe(0)
  })

  it('closes: that is all there is', async () => {
    expect(await proveToEngine(stranger(() => null).socket, credential, '/control')).toEqual({ kind: 'closed' })
  })

  it('gets nothing it could say to the engine: a proof is for the nonces of one exchange', async () => {
    const { socket, told } = stranger(async (said) => {
      if (said.type !== 'auth-hello') return { type: 'auth-ok' }
      const exchange = { path: '/control', id: said.id, callerNonce: said.nonce, engineNonce: nonce }
      return { type: 'auth-challenge', nonce, proof: await proofOf(credential.key, 'engine', exchange) }
    })
    expect(await proveToEngine(socket, credential, '/control')).toMatchObject({ kind: 'admitted' })
    const hello = JSON.parse(told[0] ?? '') as Hello
    const { proof } = JSON.parse(told[1] ?? '') as { proof: string }
    const seen = { path: '/control', id: hello.id, callerNonce: hello.nonce, engineNonce: nonce }
    expect(await isProof(credential.key, 'caller', seen, proof)).toBe(true)
    expect(await isProof(credential.key, 'caller', { ...seen, engineNonce: newNonce() }, proof)).toBe(false)
    expect(told.join('')).not.toContain(credential.key)
  })
})
