/**
 * This browser as a paired device. Its key pair stays in the browser's own database, from which scripts can use the
 * private half and not read it; beside it lies what the engine proves itself with.
 */
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { controlPath } from '../../shared/control/address.ts'
import { newDeviceKey, pageCredential, type Credential } from '../../shared/control/proof.ts'
import { provenSocket } from '../../shared/control/proven-socket.ts'
import type { ControlRouter } from '../../shared/control/router.ts'

type Device = Required<Credential>

const [store, only] = ['device', 'own']

/** null: this browser was not paired here, or keeps nothing */
export async function ownDevice(factory: IDBFactory | undefined): Promise<Device | null> {
  if (!factory) return null
  try {
    return ((await inStore(factory, 'readonly', (all) => all.get(only))) as Device | undefined) ?? null
  } catch (error) {
    // private windows of some browsers forbid it
    if (error instanceof DOMException) return null
    throw error
  }
}

/**
 * Trades a code for a key of this browser's own. @throws the engine's refusal, or an Error `refused`: this code counts
 * for nobody there
 */
export async function pairThis(origin: string, code: Credential, name: string, factory: IDBFactory): Promise<Device> {
  const { own, publicKey } = await newDeviceKey()
  let made: Credential | null = null
  let refuse: (error: Error) => void = () => undefined
  const refused = new Promise<never>((_, reject) => (refuse = reject))
  const ws = createWSClient({
    url: `${origin.replace(/^http/, 'ws')}${controlPath}`,
    WebSocket: provenSocket({
      WebSocket,
      path: controlPath,
      credential: () => code,
      async onAdmitted(exchange) {
        made = await pageCredential(code.key, exchange, 'device')
      },
    }),
    retryDelayMs: () => 2 ** 31 - 1,
    onClose: () => refuse(new Error('refused')),
  })
  try {
    const client = createTRPCClient<ControlRouter>({ links: [wsLink({ client: ws })] })
    await Promise.race([client.pairDevice.mutate({ name, publicKey }), refused])
    if (made === null) throw new Error('refused')
    const { id, key }: Credential = made
    await inStore(factory, 'readwrite', (all) => all.put({ id, key, own }, only))
    return { id, key, own }
  } finally {
    refused.catch(() => undefined)
    void ws.close()
  }
}

function inStore(
  factory: IDBFactory,
  mode: IDBTransactionMode,
  act: (all: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const opening = factory.open('onward', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(store)
    opening.onerror = () => reject(opening.error ?? new Error('no database'))
    opening.onsuccess = () => {
      const database = opening.result
      const transaction = database.transaction(store, mode)
      const asked = act(transaction.objectStore(store))
      transaction.oncomplete = () => {
        database.close()
        resolve(asked.result)
      }
      transaction.onerror = () => reject(transaction.error ?? new Error('not kept'))
      transaction.onabort = transaction.onerror
    }
  })
}
