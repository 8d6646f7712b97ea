import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { cleanEnv } from './engine-process.ts'

type SquatterEvent =
  | { kind: 'listens'; uid: number }
  | { kind: 'websocket'; path: string }
  | { kind: 'bytes'; text: string }
  | { kind: 'loot'; text: string }
  /** all of one that is over, as it came */
  | { kind: 'connection'; base64: string }

/** Another user of the machine on a port of 127.0.0.1 (squatter.mjs). */
export interface Squatter {
  uid: number
  events: readonly SquatterEvent[]
  /** everything it was ever sent, as text */
  heard(): string
  stop(): Promise<void>
}

/** Why it can't run here; null when it can. */
export const noOtherUser: string | null =
  process.platform === 'linux' && process.getuid?.() === 0 ? null : 'needs root on Linux to be another user'

/** @param order what it tells every WebSocket to do */
export async function startSquatter(port: number, order: object): Promise<Squatter> {
  const script = readFileSync(resolve(import.meta.dirname, 'squatter.mjs'))
  const child = spawn(
    'setpriv',
    [
      '--reuid=65534',
      '--regid=65534',
      '--clear-groups',
      process.execPath,
      '--input-type=module',
      '-',
      String(port),
      JSON.stringify(order),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/', env: cleanEnv() },
  )
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  child.stdin.end(script)
  const events: SquatterEvent[] = []
  let rest = ''
  const listens = await new Promise<Extract<SquatterEvent, { kind: 'listens' }>>((ok, bad) => {
    child.once('exit', (code) => bad(new Error(`the squatter ended with ${code}`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      rest += text
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const event = JSON.parse(line) as SquatterEvent
        events.push(event)
        if (event.kind === 'listens') ok(event)
      }
    })
  })
  return {
    uid: listens.uid,
    events,
    heard: () => events.map((event) => ('text' in event ? event.text : '')).join('\n'),
    async stop() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
