import { agents } from './install.mjs'

/**
 * One row for each agent and scenario, what failed with its first line, and what has to be done with the outcome.
 * @param installed what `installInto` returns
 * @param results tests, as vitest's JSON reporter tells them
 */
export function reportOf(installed, pinned, results) {
  const lines = []
  let faults = 0
  for (const { client, version, problem } of installed) {
    const { name } = agents[client]
    const step = version === pinned[client] ? `${version}, as verified` : `${version}, verified: ${pinned[client]}`
    lines.push(`${client} ${problem === null ? step : version}`)
    if (problem !== null) {
      lines.push(`  could not be installed: ${problem}`)
      faults++
      continue
    }
    const own = results.filter((test) => test.fullName.includes(`a real ${name}`) && test.status !== 'pending')
    const ran = own.filter((test) => test.status === 'passed' || test.status === 'failed')
    for (const test of ran) lines.push(...rowsOf(test))
    const failed = ran.filter((test) => test.status === 'failed').length
    if (ran.length === 0) lines.push('  nothing ran: the output above says why')
    else lines.push(`  ${ran.length - failed} of ${ran.length} passed`)
    faults += failed + (ran.length === 0 ? 1 : 0)
  }
  lines.push('', conclusion(installed, pinned, faults))
  return { text: lines.join('\n'), faults }
}

function rowsOf({ status, title, ancestorTitles, failureMessages, meta }) {
  const where = ancestorTitles.at(-1)?.startsWith('a real') ? title : `${ancestorTitles.at(-1) ?? ''}: ${title}`
  if (status === 'passed') return [`  ok      ${where}`]
  const why = failureMessages?.[0]?.split('\n')[0] ?? 'no reason was told'
  return [`  FAILED  ${where}`, `          ${why}`, ...(meta?.evidence ? [`          seen: ${meta.evidence}`] : [])]
}

function conclusion(installed, pinned, faults) {
  if (faults > 0) return `${faults} ${faults === 1 ? 'fault' : 'faults'}.`
  const newer = installed.filter(({ client, version }) => version !== pinned[client])
  return newer.length === 0
    ? 'Everything works with the versions that are verified already.'
    : `Everything works. To say so: ${newer.map((one) => `${one.client} ${one.version}`).join(', ')} into ` +
        'e2e/agents/package.json and electron/engine/terminals/agents/verified.ts, and docs/clients.md.'
}
