import { homedir } from 'node:os'
import { join } from 'node:path'
import { baseUrlOf } from '../../../../shared/config/presets.ts'
import type { ControlApi } from '../../../../shared/operations/index.ts'
import type { ProviderTrial } from '../../../../shared/setup/first-run.ts'
import { OnwardError } from '../../base/errors.ts'
import { chooseModel } from '../../discovery/choose-model.ts'
import { accessView, findAccess, type UsedProvider } from '../../discovery/find-access.ts'
import { keepsLogin } from '../../discovery/keeps-login.ts'
import { createAgentSetups, type AgentSetupDeps } from '../../discovery/setup/agent-setups.ts'
import type { DiscoveryContext } from '../../discovery/types.ts'
import { providerOf } from '../../discovery/written.ts'
import type { EngineHost } from '../../host.ts'
import { testProvider } from '../test-provider.ts'
import type { ConfigApiDeps } from './config/config-api.ts'
import { startDemo, type DemoDeps } from './demo.ts'

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
