/**
 * The heavy parts, loaded by the commands that need them: the one place where the command line is connected to them.
 */
import { version } from '../../package.json'
import { loadSentences } from '../../shared/sentences/load.ts'
import type { CliParts } from './cli.ts'

export const parts: CliParts = {
  sentencesOf: loadSentences,
  async checkConfig(text, before) {
    const { problems } = (await import('../engine/config/check.ts')).checkConfig(text, process.env)
    if (before === undefined || problems.length > 0) return problems
    return (await import('../engine/config/policy/held-text.ts')).refusedChange(before, text, process.env)
  },
  policiesFor: async (text) => (await import('../engine/config/policy/held-text.ts')).policiesFor(text, process.env),
  async serve(home) {
    // before the rest, whose code it keeps
    ;(await import('../hosts/compiled-code.ts')).keepCompiledCode(home, version)
    const [{ createNodeHost }, { findRunningEngine }, { startEngine }, held, { takeGivenSocket }] = await Promise.all([
      import('../hosts/node-host.ts'),
      import('../engine/control/attach.ts'),
      import('../engine/engine.ts'),
      import('../engine/gateway/given-socket.ts'),
      import('../engine/gateway/given-socket.ts'),
    ])
    return {
      findRunningEngine,
      holdConnections: held.holdConnections,
      createHost: (home) => createNodeHost({ home, env: process.env, version }),
      startEngine,
      given: takeGivenSocket(process.env, process.pid),
      async letGoOf({ unit }, handsOver) {
        if (unit === null) return
        const [{ letGoOf }, { nodeServiceSystem }] = await Promise.all([
          import('./service/systemd.ts'),
          import('./service/node-system.ts'),
        ])
        await letGoOf(unit, handsOver, nodeServiceSystem(process.env))
      },
      watchCrashes: async (home) => (await import('../crash/watch-crashes.ts')).serveCrashes(home, version),
    }
  },
  serviceSystem: async () => (await import('./service/node-system.ts')).nodeServiceSystem(process.env),
  installed: async () => (await import('../installed/parts.ts')).installedParts(process.env),
  async resumeArgv(client, argv, id) {
    const [{ agents }, { resumeArgv }] = await Promise.all([
      import('../engine/terminals/agents/index.ts'),
      import('../engine/terminals/agents/resume.ts'),
    ])
    return resumeArgv(agents[client].resume, argv, id)
  },
  async openLink(machine, home, options) {
    const [{ openLink }, { systemSsh }] = await Promise.all([
      import('../machines/open-link.ts'),
      import('../machines/system-ssh.ts'),
    ])
    return openLink(machine, systemSsh(home, process.env, process.platform), options)
  },
  async installer(home) {
    const [{ install, planInstall }, { ownRoot }, { systemSsh }] = await Promise.all([
      import('../machines/install.ts'),
      import('../machines/own-files.ts'),
      import('../machines/system-ssh.ts'),
    ])
    const deps = { ...systemSsh(home, process.env, process.platform), version, root: ownRoot() }
    return { plan: (machine) => planInstall(machine, deps), run: (machine, shown) => install(machine, deps, shown) }
  },
  relay: async (socket) => (await import('../machines/relay.ts')).relay(socket, process.stdin, process.stdout),
  runWrapped: async (order) =>
    order.acp
      ? (await import('./acp/run-acp.ts')).runAcp(order)
      : (await import('./launch/run-wrapped.ts')).runWrappedTerminal(order),
}
