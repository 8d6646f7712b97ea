import type { TerminalChunk } from '../../../../shared/state.ts'
import { parseJson } from '../../../../shared/parse-json.ts'
import type { Clock } from '../../base/clock.ts'
import { emitter, type Emitter } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { TypeResult, TypingTarget } from '../types.ts'
import { createHostLink, resultOf, type HostLink, type HostLinkEvents } from './host-link.ts'
import {
  hostHello,
  hostProtocolVersion,
  type AgentEnding,
  type HostTerminalFacts,
  type PtySpec,
  type ToHost,
} from './messages.ts'
import { watchers, type Watchers } from './watchers.ts'

/** The part of a WebSocket the hub uses. */
export interface HostSocket {
  send(text: string): void
  close(code: number, reason: string): void
  onMessage(listener: (text: string) => void): void
  onClose(listener: () => void): void
}

/** Every connected terminal host, and the terminals in them. */
export interface HostHub {
  handleSocket(socket: HostSocket): void
  target(terminalId: string): TypingTarget | null
  /** its screen without its words. @throws OnwardError `terminal-offline` */
  report(terminalId: string): Promise<string>
  /** whether a host with this id is connected now */
  connected(hostId: string): boolean
  /** resolves when a host with this id is connected; false after `ms` */
  whenConnected(hostId: string, ms: number): Promise<boolean>
  open(hostId: string, spec: PtySpec): Promise<{ pid: number }>
  /** the agent of a terminal that ended, once more. @throws OnwardError `terminal-offline`, and as `open` */
  restart(terminalId: string, conversation: string | null): Promise<{ pid: number }>
  /** passes on the next message that was suggested to the client; does nothing while the terminal is out of reach */
  suggested(terminalId: string, text: string | null): void
  write(terminalId: string, data: string): void
  resize(terminalId: string, cols: number, rows: number): void
  close(terminalId: string): void
  watch(terminalId: string, signal: AbortSignal): AsyncIterable<TerminalChunk>
  dispose(): void
}

export interface HostHubDeps {
  clock: Clock
  log: Log
  /** a host connected with these terminals; those that it no longer names have ended */
  announced(hostId: string, pid: number, terminals: readonly HostTerminalFacts[]): void
  /** a host's connection is gone; its terminals may live on */
  disconnected(hostId: string): void
  exited(terminalId: string, exitCode: number | null, ending: AgentEnding | null): void
  /** terminals whose agent ended and is started again: their viewers stay */
  away: ReadonlySet<string>
  /** a person pasted several lines there, so long ago (milliseconds); null: more than can be read */
  pasted(terminalId: string, text: string | null, ageMs: number): void
  /** its size from now on: as it was opened, or after a resize */
  sized(terminalId: string, cols: number, rows: number): void
  lateOutcome(terminalId: string, entryId: string, result: TypeResult): void
}

const offline: TypeResult = { kind: 'enter-owed', reason: { code: 'terminal-offline' } }

/** A connection that sends nothing at all for this long is no host. */
const HELLO_MS = 5_000

interface Hub {
  deps: HostHubDeps
  links: Map<string, { link: HostLink; close(): void }>
  /** the host of each terminal */
  homes: Map<string, HostLink>
  /** told when a terminal's screen changes, by terminal */
  changes: Map<string, Emitter<void>>
  screens: Watchers
  /** hosts that connect */
  joined: Emitter<string>
}

export function createHostHub(deps: HostHubDeps): HostHub {
  const { clock, log } = deps
  const links: Hub['links'] = new Map()
  const homes: Hub['homes'] = new Map()
  const screens = watchers((terminalId, on) => homes.get(terminalId)?.send({ type: 'watch', terminalId, on }))
  const joined = emitter<string>((error) => log.error({ error: messageOf(error) }, 'a waiter for a host failed'))
  const hub: Hub = { deps, links, homes, changes: new Map(), screens, joined }

  return {
    handleSocket(socket) {
      let link: HostLink | null = null
      const late = clock.after(HELLO_MS, () => {
        if (!link) socket.close(4408, 'no hello')
      })
      socket.onMessage((text) => {
        if (link) return link.receive(text)
        late.dispose()
        link = accept(hub, text, socket)
      })
      socket.onClose(() => {
        late.dispose()
        if (link) drop(hub, link)
      })
    },
    target(terminalId) {
      if (!homes.has(terminalId)) return null
      return {
        terminalId,
        read: () => mustHave(hub, terminalId).read(terminalId),
        type: (order, control) =>
          homes.get(terminalId)?.order(terminalId, 'type', order, control) ??
          Promise.resolve({ kind: 'held', reason: { code: 'terminal-offline' } }),
        pressOwedEnter: (order, control) =>
          homes.get(terminalId)?.order(terminalId, 'enter', order, control) ?? Promise.resolve(offline),
        takeOut: (order, control) =>
          homes.get(terminalId)?.order(terminalId, 'take-out', order, control) ?? Promise.resolve(offline),
        onChange(listener) {
          const changed = changesOf(hub, terminalId)
          if (changed.size === 0) homes.get(terminalId)?.send({ type: 'listen', terminalId, on: true })
          const held = changed.on(listener)
          return {
            dispose() {
              held.dispose()
              if (changed.size === 0) homes.get(terminalId)?.send({ type: 'listen', terminalId, on: false })
            },
          }
        },
      }
    },
    report: async (terminalId) => mustHave(hub, terminalId).report(terminalId),
    connected: (hostId) => links.has(hostId),
    whenConnected: (hostId, ms) =>
      new Promise((resolve) => {
        if (links.has(hostId)) return resolve(true)
        const waiting = joined.on((id) => {
          if (id === hostId) {
            late.dispose()
            waiting.dispose()
            resolve(true)
          }
        })
        const late = clock.after(ms, () => {
          waiting.dispose()
          resolve(false)
        })
      }),
    async open(hostId, spec) {
      const link = links.get(hostId)?.link
      if (!link)
        throw new OnwardError('terminal-offline', 'No terminal host is connected.', { status: 503, retryable: true })
      const opened = await link.open(spec)
      adopt(hub, link, spec.terminalId)
      deps.sized(spec.terminalId, spec.cols, spec.rows)
      return opened
    },
    async restart(terminalId, conversation) {
      const link = mustHave(hub, terminalId)
      const opened = await link.restart(terminalId, conversation)
      // its screen begins anew
      screens.push(terminalId, { type: 'data', data: '\u001bc' })
      adopt(hub, link, terminalId)
      return opened
    },
    suggested: (terminalId, text) => homes.get(terminalId)?.send({ type: 'suggested', terminalId, text }),
    write: (terminalId, data) => mustHave(hub, terminalId).send({ type: 'write', terminalId, data }),
    resize: (terminalId, cols, rows) => mustHave(hub, terminalId).send({ type: 'resize', terminalId, cols, rows }),
    close: (terminalId) => mustHave(hub, terminalId).send({ type: 'close', terminalId }),
    watch: (terminalId, signal) => screens.follow(terminalId, signal),
    dispose() {
      for (const { close } of links.values()) close()
    },
  }
}

function changesOf({ changes, deps }: Hub, terminalId: string): Emitter<void> {
  const there = changes.get(terminalId)
  if (there) return there
  const made = emitter<void>((error) =>
    deps.log.error({ terminalId, error: messageOf(error) }, 'a terminal listener failed'),
  )
  changes.set(terminalId, made)
  return made
}

function mustHave({ homes }: Hub, terminalId: string): HostLink {
  const link = homes.get(terminalId)
  if (!link)
    throw new OnwardError('terminal-offline', 'This terminal can’t be reached right now.', {
      status: 503,
      retryable: true,
    })
  return link
}

function accept(hub: Hub, text: string, socket: HostSocket): HostLink | null {
  const { deps, links, changes, screens } = hub
  const hello = hostHello.safeParse(parseJson(text))
  if (!hello.success) {
    socket.close(4400, 'not the hello of a terminal host')
    return null
  }
  if (hello.data.version !== hostProtocolVersion) {
    socket.close(4409, 'another version of Onward')
    return null
  }
  const { hostId, pid, terminals, outcomes } = hello.data
  const write = (message: ToHost) => socket.send(JSON.stringify(message))
  const link = createHostLink(
    hello.data,
    write,
    {
      changed: (terminalId) => changes.get(terminalId)?.emit(),
      exited: (terminalId, exitCode, ending) => {
        deps.exited(terminalId, exitCode, ending)
        if (!deps.away.has(terminalId)) screens.push(terminalId, { type: 'exit', exitCode })
        changes.get(terminalId)?.emit()
      },
      output(message) {
        if (message.type === 'resized') deps.sized(message.terminalId, message.cols, message.rows)
        screens.push(message.terminalId, chunkOf(message))
      },
      pasted: deps.pasted,
      lateOutcome: deps.lateOutcome,
    },
    deps.log,
  )
  // A host may reconnect before its old connection was seen to die: the old one is over.
  links.get(hostId)?.close()
  links.set(hostId, { link, close: () => socket.close(4410, 'connected again') })
  write({ type: 'welcome', version: hostProtocolVersion })
  for (const { terminalId } of terminals) adopt(hub, link, terminalId)
  deps.announced(hostId, pid, terminals)
  for (const { terminalId, entryId, result } of outcomes) {
    write({ type: 'heard', entryId })
    deps.lateOutcome(terminalId, entryId, resultOf(result))
  }
  hub.joined.emit(hostId)
  return link
}

function adopt(hub: Hub, link: HostLink, terminalId: string) {
  hub.homes.set(terminalId, link)
  link.send({ type: 'listen', terminalId, on: (hub.changes.get(terminalId)?.size ?? 0) > 0 })
  if (hub.screens.watched(terminalId)) link.send({ type: 'watch', terminalId, on: true })
  hub.changes.get(terminalId)?.emit()
}

function drop({ homes, changes, links, deps }: Hub, link: HostLink) {
  link.lost()
  for (const [terminalId, home] of homes) {
    if (home !== link) continue
    homes.delete(terminalId)
    changes.get(terminalId)?.emit()
  }
  if (links.get(link.hostId)?.link !== link) return
  links.delete(link.hostId)
  deps.disconnected(link.hostId)
}

function chunkOf(message: Parameters<HostLinkEvents['output']>[0]): TerminalChunk {
  switch (message.type) {
    case 'resized':
      return { type: 'resize', cols: message.cols, rows: message.rows }
    case 'screen':
      return { type: 'screen', data: message.data, cols: message.cols, rows: message.rows }
    case 'data':
      return { type: 'data', data: message.data }
  }
}
