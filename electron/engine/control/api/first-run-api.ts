import { homedir } from 'node:os'
import { join } from 'node:path'
import { baseUrlOf } from '../../../../shared/config/presets.ts'
import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { ProviderTrial } from '../../../../shared/setup/first-run.ts'
import type { EngineUpdate, TerminalView } from '../../../../shared/state.ts'
import type { Language } from '../../../../shared/words.ts'
import { OnwardError, messageOf } from '../../base/errors.ts'
import { chooseModel } from '../../discovery/choose-model.ts'
import { accessView, findAccess, type UsedProvider, keepsLogin } from '../../discovery/find-access.ts'
import { createAgentSetups, type AgentSetupDeps } from '../../discovery/setup/agent-setups.ts'
import type { DiscoveryContext } from '../../discovery/types.ts'
import { providerOf } from '../../discovery/written.ts'
import type { EngineHost } from '../../host.ts'
import { testProvider } from '../test-provider.ts'
import type { ConfigApiDeps } from './config/config-api.ts'

export interface FirstRunDeps extends ConfigApiDeps, Omit<DemoDeps, 'host'> {
  host: EngineHost
  /** the person's own, and those of their agents */
  files: AgentSetupDeps['files']
  baseUrl(): string
}

/** Files of tools hold settings and keys; a longer file is something else. */
const MOST_BYTES = 4 * 1024 * 1024

/** The first minute: the tools on this machine, a provider that answers, agents set up for good, a demo. */
export function firstRunApi(deps: FirstRunDeps) {
  const { host, files, config, secrets, test } = deps
  const home = host.env.HOME || host.env.USERPROFILE || homedir()
  const context: DiscoveryContext = {
    env: host.env,
    home,
    read: (path) =>
      files.read(path).then(
        (bytes) => bytes && (bytes.length > MOST_BYTES ? '' : bytes.toString('utf8')),
        () => null,
      ),
    isOwn(url) {
      if (!URL.canParse(url)) return false
      const { port } = new URL(deps.baseUrl())
      const { hostname, port: wanted } = new URL(url)
      return wanted === port && /^(?:127\.|localhost$|\[::1\]$)/.test(hostname)
    },
  }
  const setups = createAgentSetups({
    files,
    folder: join(host.home, 'agent-setup'),
    facts: () => ({ home, env: host.env, baseUrl: deps.baseUrl(), keepsLogin: keepsLogin(config.current()) }),
    // Only Linux shows whose program calls; elsewhere each call has to bring a key.
    needsKey: () => config.current().server.keys.length > 0 || process.platform !== 'linux',
  })
  const used = (): UsedProvider[] =>
    Object.entries(config.current().providers).map(([id, provider]) => ({
      id,
      baseUrl: provider.via === undefined ? baseUrlOf(id, provider) : null,
      auth: provider.auth,
      keys: provider.keys.flatMap(({ alias }) => {
        const key = config.key(id, alias)
        return key.ok ? [key.value] : []
      }),
    }))

  return {
    async foundAccess() {
      const known = used()
      return (await findAccess(context)).map((found) => accessView(found, home, known))
    },
    async useAccess(wanted) {
      await config.reload()
      const found = (await findAccess(context)).find(({ id }) => id === wanted)
      if (!found)
        throw new OnwardError('access-gone', 'It is not there any more. Look again at what was found.', { status: 404 })
      const { added } = accessView(found, home, used())
      if (added !== null) return added
      const taken = Object.keys(config.current().providers)
      const id = free(found.vendor?.id ?? '', (name) => taken.includes(name))
      const ref = await freeSecret(`${id}-main`, secrets)
      const provider = providerOf(found, ref)
      if (!provider)
        throw new OnwardError('access-unusable', 'Only its own tool can use this sign-in.', { status: 409 })
      const copied = found.credential.kind === 'key'
      if (found.credential.kind === 'key') await secrets.set(ref, found.credential.value)
      try {
        await config.edit([{ path: ['providers', id], value: provider }])
      } catch (error) {
        if (copied) await secrets.remove(ref)
        throw error
      }
      return id
    },
    async tryProvider(id): Promise<ProviderTrial> {
      const result = await testProvider(id, { ...test, config })
      if (result.kind !== 'answered' || (config.current().routes.default ?? []).length > 0)
        return { test: result, routed: null }
      const listed = Object.keys(config.current().providers[id]?.models ?? {})
      const model = listed[0] ?? chooseModel(result.models)
      if (model === null || !Object.hasOwn(config.current().providers, id)) return { test: result, routed: null }
      const target = `${id}.${model}`
      await config.edit([{ path: ['routes', 'default'], value: [target] }])
      // A list of models shows that address and key are right; only a question shows that the model answers.
      return { test: await testProvider(id, { ...test, config }), routed: target }
    },
    agentSetups: setups.list,
    setUpAgent: setups.apply,
    undoAgentSetup: setups.undo,
    startDemo: () => startDemo(deps),
  } satisfies Partial<ControlApi>
}

function free(id: string, taken: (id: string) => boolean): string {
  for (let n = 2, name = id; ; name = `${id}-${n++}`) if (!taken(name)) return name
}

async function freeSecret(name: string, secrets: ConfigApiDeps['secrets']): Promise<string> {
  for (let n = 2, ref = name; ; ref = `${name}-${n++}`) if ((await secrets.get(ref)) === null) return ref
}

interface DemoDeps {
  host: Pick<EngineHost, 'demoAgent' | 'clock' | 'log'>
  openTerminal: ControlApi['openTerminal']
  addAlarm: ControlApi['addAlarm']
  follow(signal: AbortSignal): AsyncIterable<EngineUpdate>
  language(): Language
}

/** Three rounds take a few seconds; a demo that is not finished by then was abandoned. */
const WITHIN_MS = 10 * 60_000
const ALARM_AFTER_MS = 10_000
const words = {
  en: { name: 'Demo', task: 'The alarm of the demo rings. Say that you heard it.' },
  'zh-CN': { name: '演示', task: '演示的闹钟响了，说一声你听到了。' },
} as const

/**
 * Opens a terminal with the demo's agent. The agent's first message arms its own rounds, by a marker, as a person
 * would.
 */
async function startDemo(deps: DemoDeps): Promise<TerminalView> {
  const [...argv] = deps.host.demoAgent?.() ?? []
  if (argv.length === 0)
    throw new OnwardError('no-demo', 'This host has no demo agent. Open a terminal with an agent of yours instead.', {
      status: 501,
    })
  const { name, task } = words[deps.language()]
  const stop = new AbortController()
  // Followed from before the start, so that no round is missed.
  const updates = deps.follow(stop.signal)
  try {
    const terminal = await deps.openTerminal({
      client: 'other',
      args: [...argv, '--language', deps.language()],
      name,
      cols: 100,
      rows: 30,
    })
    const limit = deps.host.clock.after(WITHIN_MS, () => stop.abort())
    void ringAfterwards(updates, terminal.id, task, deps)
      .catch((error: unknown) => deps.host.log.warn({ why: messageOf(error) }, 'the demo’s alarm was not set'))
      .finally(() => {
        limit.dispose()
        stop.abort()
      })
    return terminal
  } catch (error) {
    stop.abort()
    throw error
  }
}

/** Sets the alarm when the rounds are finished, so that none of them takes it along. */
async function ringAfterwards(
  updates: AsyncIterable<EngineUpdate>,
  terminalId: string,
  task: string,
  { addAlarm, host }: DemoDeps,
): Promise<void> {
  for await (const update of updates) {
    if (update.type === 'terminal-removed' && update.id === terminalId) return
    const sessions = update.type === 'snapshot' ? update.sessions : update.type === 'session' ? [update.session] : []
    const demo = sessions.find((session) => session.terminalId === terminalId)
    if (demo?.stopMessage?.status.kind !== 'done') continue
    await addAlarm({ session: demo.id, dueAt: host.clock.now() + ALARM_AFTER_MS, task })
    return
  }
}
