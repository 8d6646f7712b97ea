import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, emitter, type Emitter } from '../../base/disposable.ts'
import { OnwardError, messageOf } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Document, Store } from '../../store/types.ts'
import {
  assignScope,
  findByPane,
  findByDaemon,
  findByTmux,
  type FoundTerminal,
  hashKey,
  keyPrefix,
  mintKey,
  sameHash,
} from './find-terminal.ts'
import type { TerminalConversation } from './terminal-conversation.ts'
import { terminalsShape, type NewTerminal, type Terminal } from './terminal.ts'

export interface TerminalsOptions {
  store: Store
  clock: Clock
  random: Random
  log: Log
  /** as far as is known, its pane or PTY exists and the agent in it has not ended */
  isAlive(terminal: Terminal): boolean
}

export type TerminalChange =
  | { type: 'registered'; terminal: Terminal }
  | { type: 'ended'; terminal: Terminal; why: string }
  /** its current conversation is another one now */
  | { type: 'conversation'; terminal: Terminal; before: string | null }
  | { type: 'renamed'; terminal: Terminal }
  | { type: 'forgotten'; terminal: Terminal }

export interface TerminalsRegistry extends Disposable {
  /** Registers a launched terminal and mints its key, which is returned here and never again. */
  register(terminal: NewTerminal): Promise<{ terminal: Terminal; key: string }>
  /** Registers a terminal that was started by hand; the same pane again is the same terminal. */
  adopt(terminal: NewTerminal): Promise<Terminal>
  /** ended ones included: their client is still served, without a scope */
  byKey(key: string): Terminal | null
  get(terminalId: string): Terminal | null
  /** Returns the terminal itself, or the one that took over what is bound to it; null: none is known. */
  holderOf(terminalId: string | null): Terminal | null
  byScope(scope: Scope): Terminal | null
  /** ended ones included, oldest first */
  list(): readonly Terminal[]
  alive(terminal: Terminal): boolean
  findByTmux(session: string | null, paneId: string | null): FoundTerminal
  findByDaemon(daemonId: string): FoundTerminal
  findByPane(socket: string, paneId: string): Terminal | null
  end(terminalId: string, exitCode: number | null, why: string): Promise<void>
  /** nothing was ever in it: it leaves the list at once, and its key opens nothing */
  forget(terminalId: string): Promise<void>
  rename(terminalId: string, name: string): Promise<void>
  /** facts that became known after the start: the agent's process, its folder */
  describe(
    terminalId: string,
    facts: Partial<Pick<Terminal, 'agentPid' | 'cwd' | 'startedAgain' | 'restsBecause'>>,
  ): void
  setSession(terminalId: string, sessionId: string): void
  /** its conversation is forgotten: it has none until its next turn. @throws OnwardError `store-failed` */
  leave(terminalId: string): Promise<void>
  setConversation(terminalId: string, conversation: TerminalConversation): void
  /** written through: the heir, or when it was cleaned without one */
  settle(terminalId: string, outcome: { heir: string } | { cleanedAt: number }): Promise<void>
  onChange(listener: (change: TerminalChange) => void): Disposable
  /**
   * Every room that keeps something under scopes calls this: a scope that `inUse` claims is neither forgotten nor
   * reused.
   */
  keepScopes(inUse: (scope: Scope) => boolean): Disposable
  /** resolves when every change is on the disk */
  flush(): Promise<void>
}

/** Ended registrations are kept this long, for the list and for rebinding (milliseconds). */
const keepEnded = 24 * 60 * 60 * 1000
/** Changes without a promise of their own are written at most this often (milliseconds). */
const writeEvery = 1000

interface Registry extends TerminalsOptions {
  document: Document<{ terminals: Terminal[] }>
  terminals: Map<string, Terminal>
  changes: Emitter<TerminalChange>
  keepers: Set<(scope: Scope) => boolean>
  /** the next write of what has no promise of its own */
  owed: Disposable | null
  saving: Promise<void>
}

/** The terminals Onward knows, over `terminals.json`. */
export async function createTerminalsRegistry(options: TerminalsOptions): Promise<TerminalsRegistry> {
  const { store, clock, random, log } = options
  const document = await store.document({
    path: 'terminals.json',
    version: 1,
    parse: (value) => terminalsShape.parse(value),
  })
  const terminals = new Map<string, Terminal>(
    document.get()?.terminals.map((terminal) => [terminal.terminalId, terminal]),
  )
  const changes = emitter<TerminalChange>((error) => log.error({ err: error }, 'a listener to terminals failed'))
  const keepers = new Set<(scope: Scope) => boolean>()
  const saving = Promise.resolve()
  const registry: Registry = { ...options, document, terminals, changes, keepers, owed: null, saving }
  const alive = (terminal: Terminal) => terminal.endedAt === null && options.isAlive(terminal)

  return {
    async register(fresh) {
      const key = mintKey(random)
      return { terminal: await add(registry, fresh, hashKey(key)), key }
    },
    async adopt(fresh) {
      const known = fresh.pane ? findByPane(terminals.values(), fresh.pane.socket, fresh.pane.paneId) : null
      if (
        known &&
        known.client === fresh.client &&
        (known.agentPid === null || fresh.agentPid === null || known.agentPid === fresh.agentPid) &&
        alive(known)
      )
        return known
      return add(registry, fresh, null)
    },
    byKey(key) {
      if (!key.startsWith(keyPrefix)) return null
      const hash = hashKey(key)
      let found: Terminal | null = null
      // every hash is compared, so that the time taken reveals nothing
      for (const terminal of terminals.values())
        if (terminal.keyHash && sameHash(terminal.keyHash, hash)) found = terminal
      return found
    },
    get: (terminalId) => terminals.get(terminalId) ?? null,
    holderOf(terminalId) {
      let found = terminalId === null ? null : (terminals.get(terminalId) ?? null)
      // An heir is a later registration, so this ends.
      for (let heir = found; heir; heir = heir.heir === null ? null : (terminals.get(heir.heir) ?? null)) found = heir
      return found
    },
    byScope: (scope) => [...terminals.values()].findLast((terminal) => terminal.scope === scope) ?? null,
    list: () => [...terminals.values()],
    alive,
    findByTmux: (session, paneId) => findByTmux(terminals.values(), alive, session, paneId),
    findByDaemon: (daemonId) => findByDaemon(terminals.values(), alive, daemonId),
    findByPane: (socket, paneId) => findByPane(terminals.values(), socket, paneId),
    async end(terminalId, exitCode, why) {
      if (need(registry, terminalId).endedAt !== null) return
      const terminal = await change(registry, terminalId, { endedAt: clock.now(), exitCode })
      changes.emit({ type: 'ended', terminal, why })
    },
    async forget(terminalId) {
      const terminal = need(registry, terminalId)
      terminals.delete(terminalId)
      changes.emit({ type: 'forgotten', terminal })
      await save(registry)
    },
    async rename(terminalId, name) {
      changes.emit({ type: 'renamed', terminal: await change(registry, terminalId, { name, named: true }) })
    },
    describe(terminalId, facts) {
      put(registry, { ...need(registry, terminalId), ...facts })
      saveSoon(registry)
    },
    setSession(terminalId, sessionId) {
      const before = need(registry, terminalId)
      if (before.sessionId === sessionId) return
      const terminal = put(registry, { ...before, sessionId })
      // rare, and it decides which conversation's followups are typed here
      saveNow(registry)
      changes.emit({ type: 'conversation', terminal, before: before.sessionId })
    },
    async leave(terminalId) {
      const { sessionId: before } = need(registry, terminalId)
      if (before === null) return
      const terminal = await change(registry, terminalId, { sessionId: null, conversation: null })
      changes.emit({ type: 'conversation', terminal, before })
    },
    setConversation(terminalId, conversation) {
      const before = need(registry, terminalId)
      if (before.conversation === conversation) return
      put(registry, { ...before, conversation })
      saveSoon(registry)
    },
    async settle(terminalId, outcome) {
      await change(registry, terminalId, outcome)
    },
    onChange: (listener) => changes.on(listener),
    keepScopes(inUse) {
      keepers.add(inUse)
      return { dispose: () => void keepers.delete(inUse) }
    },
    async flush() {
      await registry.saving
      if (registry.owed) await save(registry)
    },
    dispose() {
      registry.owed?.dispose()
      registry.owed = null
    },
  }
}

const scopeInUse = ({ keepers }: Registry, scope: Scope) => [...keepers].some((inUse) => inUse(scope))

function save(registry: Registry) {
  registry.owed?.dispose()
  registry.owed = null
  return registry.document.set({ terminals: [...registry.terminals.values()] })
}

// the store has reported it; the next change tries again
function saveNow(registry: Registry) {
  registry.saving = save(registry).catch((error: unknown) =>
    registry.log.warn({ why: messageOf(error) }, 'the terminals could not be written'),
  )
}

function saveSoon(registry: Registry) {
  registry.owed ??= registry.clock.after(writeEvery, () => {
    registry.owed = null
    saveNow(registry)
  })
}

function need({ terminals }: Registry, terminalId: string): Terminal {
  const terminal = terminals.get(terminalId)
  if (!terminal)
    throw new OnwardError(
      'terminal-unknown',
      `No terminal ${terminalId} is known here. "onward terminals" lists them.`,
      { status: 404 },
    )
  return terminal
}

function put({ terminals }: Registry, terminal: Terminal): Terminal {
  terminals.set(terminal.terminalId, terminal)
  return terminal
}

function prune(registry: Registry) {
  const { terminals, clock, changes } = registry
  for (const terminal of terminals.values()) {
    if (terminal.endedAt === null || clock.now() - terminal.endedAt < keepEnded) continue
    if (scopeInUse(registry, terminal.scope)) continue
    terminals.delete(terminal.terminalId)
    changes.emit({ type: 'forgotten', terminal })
  }
}

function freeId({ terminals, random }: Registry) {
  for (;;) {
    const id = random.uuid().slice(0, 8)
    if (!terminals.has(id)) return id
  }
}

/** A pane holds one agent: registering a new one in it ends the earlier registration. */
const endOfPane = ({ terminals }: Registry, pane: Terminal['pane'], but: string) =>
  [...terminals.values()].filter(
    (other) =>
      pane &&
      other.endedAt === null &&
      other.terminalId !== but &&
      other.pane?.paneId === pane.paneId &&
      other.pane.socket === pane.socket,
  )

async function add(registry: Registry, fresh: NewTerminal, keyHash: string | null): Promise<Terminal> {
  const { terminals, clock, changes } = registry
  prune(registry)
  const terminalId = fresh.terminalId ?? freeId(registry)
  if (terminals.has(terminalId))
    throw new OnwardError('terminal-exists', `A terminal ${terminalId} is registered already.`, { status: 409 })
  const pane = fresh.pane ?? null
  const replaced = endOfPane(registry, pane, terminalId)
  const taken = (scope: Scope) =>
    scopeInUse(registry, scope) ||
    [...terminals.values()].some(
      (other) => other.scope === scope && other.endedAt === null && !replaced.includes(other),
    )
  const terminal: Terminal = {
    terminalId,
    scope: assignScope({ terminalId, pane }, taken),
    kind: fresh.kind,
    home: fresh.home,
    origin: keyHash ? 'launched' : 'found',
    client: fresh.client,
    name: fresh.name,
    ...(fresh.named ? { named: true } : {}),
    cwd: fresh.cwd,
    command: fresh.command,
    keyHash,
    pane,
    hostId: fresh.hostId ?? null,
    ...(fresh.headless ? { headless: true } : {}),
    daemonId: fresh.daemonId ?? null,
    agentPid: fresh.agentPid ?? null,
    openedAt: clock.now(),
    endedAt: null,
    exitCode: null,
    sessionId: null,
    conversation: null,
    heir: null,
    cleanedAt: null,
  }
  const ended = replaced.map((old) => ({ ...old, endedAt: clock.now() }))
  for (const changed of [...ended, terminal]) put(registry, changed)
  try {
    await save(registry)
  } catch (error) {
    for (const old of replaced) put(registry, old)
    terminals.delete(terminalId)
    throw error
  }
  for (const old of ended) changes.emit({ type: 'ended', terminal: old, why: 'another agent was started in its pane' })
  changes.emit({ type: 'registered', terminal })
  return terminal
}

/** Changes one terminal in memory once it is on the disk. */
async function change(registry: Registry, terminalId: string, fields: Partial<Terminal>): Promise<Terminal> {
  const before = need(registry, terminalId)
  put(registry, { ...before, ...fields })
  try {
    await save(registry)
  } catch (error) {
    // only these fields: others may have been noted while the write failed
    put(registry, { ...need(registry, terminalId), ...only(before, fields) })
    throw error
  }
  return need(registry, terminalId)
}

const only = (from: Terminal, named: Partial<Terminal>): Partial<Terminal> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name in named))
