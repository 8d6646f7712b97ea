import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The agent's processes at work in a folder: neither a shell nor what was started with this home. */
export function agentsIn(folder: string, home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return (
          !argv.includes(home) &&
          !/(?:^|[/-])(?:ba|da|z)?sh$/.test(argv[0] ?? '') &&
          readlinkSync(`/proc/${pid}/cwd`) === folder
        )
      } catch {
        // it ended while we looked
        return false
      }
    })
    .map(Number)
}

export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // it went with the one before
    }
  }
}
