import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { AgentProgram } from '../process/proc-reader.ts'

/** A request that failed. `refused`: it was answered so; else nobody knows whether it was carried out. */
export class RequestFailed extends Error {
  readonly refused: boolean

  constructor(message: string, refused: boolean) {
    super(message)
    this.refused = refused
  }
}

export interface AppServer extends Disposable {
  /** @throws RequestFailed */
  request(method: string, params: unknown): Promise<unknown>
  notify(method: string): void
  ended(): boolean
}

const ANSWER_MS = 10_000

const answerShape = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
})

/** Starts Codex's `app-server`, which speaks JSON-RPC in lines without the member `jsonrpc`. */
export function startAppServer({ file, env }: AgentProgram, clock: Clock): AppServer {
  // in no folder of a project, whose settings would count
  const child = spawn(file, ['app-server'], { env, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, { done(result: unknown): void; failed(error: RequestFailed): void }>()
  let sent = 0
  let end: string | null = null
  const ends = (why: string) => {
    end ??= why
    for (const { failed } of waiting.values()) failed(new RequestFailed(why, false))
    waiting.clear()
  }
  child.once('error', (error) => ends(messageOf(error)))
  child.once('exit', (code, signal) => ends(`its app-server ended (${code ?? signal})`))
  child.stdin.on('error', (error) => ends(messageOf(error)))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = answerShape.safeParse(parsed(line)).data
    const asked = answer && waiting.get(answer.id)
    if (!asked) return
    waiting.delete(answer.id)
    if (answer.error) asked.failed(new RequestFailed(answer.error.message, true))
    else asked.done(answer.result)
  })
  const write = (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`)
  return {
    ended: () => end !== null,
    notify: (method) => write({ method }),
    request(method, params) {
      if (end !== null) return Promise.reject(new RequestFailed(end, true))
      const id = ++sent
      return new Promise((resolve, reject) => {
        const limit = clock.after(ANSWER_MS, () => {
          waiting.delete(id)
          reject(new RequestFailed('its app-server does not answer', false))
        })
        waiting.set(id, {
          done(result) {
            limit.dispose()
            resolve(result)
          },
          failed(error) {
            limit.dispose()
            reject(error)
          },
        })
        write({ id, method, params })
      })
    },
    dispose() {
      ends('its app-server was closed')
      child.kill()
    },
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
