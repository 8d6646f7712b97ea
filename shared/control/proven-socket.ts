/**
 * A WebSocket class for tRPC that counts as open only once engine and caller have proved themselves to each other, so
 * that no call can be sent before.
 */
import { closeCodes, proveWithinMs, type Credential, type Exchange } from './proof.ts'
import { proveToEngine } from './prove-to-engine.ts'

export interface ProvenSocketOptions {
  /** the browser's class, or `ws` */
  WebSocket: new (url: string) => WebSocket
  /** asked once per connection */
  credential(): Credential
  path: string
  /** the whole exchange, in milliseconds */
  withinMs?: number
  /** before anything is sent: the exchange a page credential can be derived from */
  onAdmitted?(exchange: Exchange): Promise<void> | void
}

export function provenSocket(options: ProvenSocketOptions): typeof WebSocket {
  class ProvenSocket extends EventTarget {
    static readonly CONNECTING = 0
    static readonly OPEN = 1
    static readonly CLOSING = 2
    static readonly CLOSED = 3
    readonly OPEN = ProvenSocket.OPEN

    readonly #plain: WebSocket
    #state: 'proving' | 'open' | 'over' = 'proving'
    #failed = false

    constructor(url: string | URL) {
      super()
      const plain = new options.WebSocket(String(url))
      this.#plain = plain
      const late = setTimeout(() => this.#end(closeCodes.late), options.withinMs ?? proveWithinMs)
      plain.addEventListener('open', () => {
        this.#prove(() => clearTimeout(late)).then(
          (failed) => {
            clearTimeout(late)
            if (failed !== null) return this.#end(failed)
            if (this.#state !== 'proving') return
            this.#state = 'open'
            plain.addEventListener('message', ({ data }) => this.#tell('message', { data }))
            this.#tell('open', {})
          },
          (error: unknown) => {
            clearTimeout(late)
            this.#fail({ error })
            this.#end(closeCodes.stranger)
          },
        )
      })
      plain.addEventListener('error', (event) => this.#fail('error' in event ? { error: event.error } : {}))
      plain.addEventListener('close', ({ code, reason }) => {
        clearTimeout(late)
        this.#over(code, reason)
      })
    }

    get readyState(): number {
      if (this.#state === 'over') return ProvenSocket.CLOSED
      const { readyState } = this.#plain
      return readyState === ProvenSocket.OPEN && this.#state === 'proving' ? ProvenSocket.CONNECTING : readyState
    }

    set binaryType(_kind: BinaryType) {
      // text only: what tRPC asks for here makes no difference
    }

    send(data: string): void {
      if (this.#state !== 'open') throw new Error('Nothing is sent before the engine has proved itself.')
      this.#plain.send(data)
    }

    close(code?: number, reason?: string): void {
      this.#plain.close(code, reason)
    }

    /** null: admitted */
    async #prove(inTime: () => void): Promise<number | null> {
      const proved = await proveToEngine(this.#plain, options.credential(), options.path)
      if (proved.kind === 'stranger') return closeCodes.stranger
      // the close event says why
      if (proved.kind === 'closed') return null
      inTime()
      await options.onAdmitted?.(proved.exchange)
      return null
    }

    /** A peer that does not prove itself may not answer the close either, so the socket counts as closed now. */
    #end(code: number): void {
      this.#plain.close()
      this.#over(code, '')
    }

    #over(code: number, reason: string): void {
      if (this.#state === 'over') return
      // tRPC waits for `open` or `error` and would wait forever
      if (this.#state === 'proving' && !this.#failed) this.#fail({ code })
      this.#state = 'over'
      this.#tell('close', { code, reason })
    }

    #fail(more: object): void {
      this.#failed = true
      this.#tell('error', more)
    }

    #tell(type: string, more: object): void {
      this.dispatchEvent(Object.assign(new Event(type), more))
    }
  }
  // tRPC wants the browser's class; this has everything it uses of it
  return ProvenSocket as unknown as typeof WebSocket
}
