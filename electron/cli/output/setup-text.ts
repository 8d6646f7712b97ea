/** The output of the first steps. */
import type { FoundAgent } from '../../../shared/setup/agent-standing.ts'
import type { AccessUse, AgentSetup, FileDiff, FoundAccess, ProviderTrial } from '../../../shared/setup/first-run.ts'
import { oneLine } from './clean.ts'
import type { Words } from './print.ts'

export function accessRows(access: readonly FoundAccess[], { style }: Words): string {
  if (access.length === 0) return 'No sign-in and no key was found on this machine.\n'
  return access
    .map((found) => {
      const shape = found.added !== null ? style.shape('done', '✓') : style.shape('idle', '○')
      const use = found.added === null ? useSaid(found.use) : `in use as ${found.added}`
      return (
        `${shape} ${style.strong(oneLine(found.name))} ${oneLine(found.where)}` +
        `\n  ${use} ${style.quiet(`(${oneLine(found.id)})`)}\n`
      )
    })
    .join('')
}

function useSaid(use: AccessUse): string {
  switch (use.how) {
    case 'env':
      return `the config names ${use.name}, its value stays where it is`
    case 'login':
      return 'your login goes through with each call of Claude Code, nothing is kept'
    case 'copy':
      return 'the key is copied into Onward’s own secrets'
    case 'none':
      return use.why === 'database'
        ? 'in a database that Onward does not read'
        : 'a login that only its own tool can use'
  }
}

export function agentRows(agents: readonly FoundAgent[], setups: readonly AgentSetup[], { style }: Words): string {
  if (agents.length === 0) return 'No agent was found on this machine.\n'
  return agents
    .map(({ client, version }) => {
      const setup = setups.find((one) => one.client === client)
      const said = setup ? setupSaid(setup) : `start it with onward ${client}`
      const shape = setup?.kind === 'set-up' ? style.shape('done', '✓') : style.shape('idle', '○')
      return `${shape} ${style.strong(client)}${version === null ? '' : ` ${oneLine(version)}`} ${said}\n`
    })
    .join('')
}

export function setupSaid(setup: AgentSetup): string {
  const { client } = setup
  if (setup.kind === 'possible') return `start it with onward ${client}, or for good: onward setup --agent ${client}`
  if (setup.kind === 'impossible') return `can’t be set up for good (${setup.code}); start it with onward ${client}`
  const files = setup.files.map(oneLine).join(' and ')
  return setup.changed.length > 0
    ? `is set up in ${files}, which changed since; the old text is in ${setup.backups.map(oneLine).join(' and ')}`
    : `is set up in ${files}; to take it back: onward setup --undo ${client}`
}

const signs = { same: '  ', added: '+ ', removed: '- ', gap: '  …' } as const

export function diffText({ path, fresh, lines }: FileDiff, { style }: Words): string {
  const body = lines.map(({ kind, text }) => {
    // The indentation is a part of what is shown.
    const line = signs[kind] + (/^ */.exec(text)?.[0] ?? '') + oneLine(text)
    return kind === 'added' ? style.shape('done', line) : kind === 'removed' ? style.shape('failed', line) : line
  })
  return `${style.strong(oneLine(path))}${fresh ? ' (new)' : ''}\n${body.join('\n')}\n`
}

export function trialSaid(provider: string, { test, routed }: ProviderTrial, { style }: Words): string {
  if (test.kind === 'failed')
    return `${style.shape('failed', '▲')} ${provider} is added and did not answer: ${oneLine(test.message)}\n`
  const what = test.model === '' ? `lists ${test.models.length} models` : `answered with ${oneLine(test.model)}`
  const route = routed === null ? '' : ` Everything goes to ${oneLine(routed)}.`
  return `${style.shape('done', '✓')} ${provider} ${what}.${route}\n`
}
