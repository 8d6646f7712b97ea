import { agents } from './install.mjs'

/**
 * Which agents in which versions a command line asks for: the newest of each unless it says otherwise.
 * @param asked `only`: names divided by commas; `versions`: `name=version`, or `name=pinned`
 * @returns `{ versions }` or `{ problem }`, a sentence
 */
export function wantedOf({ only, versions }, pinned) {
  const names = words(only)
  const said = words(versions).map((word) => word.split('='))
  const unknown = [...names, ...said.map(([name]) => name)].find((name) => !(name in agents))
  const known = Object.keys(agents)
  if (unknown !== undefined) return { problem: `There is no agent "${unknown}" here. Known: ${known.join(', ')}.` }
  const bare = said.find(([, version]) => !version)
  if (bare) return { problem: `--versions wants name=version, such as ${bare[0]}=${pinned[bare[0]]}.` }
  const chosen = names.length > 0 ? names : said.length > 0 ? said.map(([name]) => name) : known
  const versionOf = Object.fromEntries(said)
  return {
    versions: Object.fromEntries(
      known
        .filter((client) => chosen.includes(client))
        .map((client) => [client, versionOf[client] === 'pinned' ? pinned[client] : (versionOf[client] ?? 'latest')]),
    ),
  }
}

const words = (text) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
