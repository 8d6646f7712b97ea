// CPU time and memory of a process, from /proc (Linux): the figures least disturbed by other load.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const TICK_MS = 10

/** milliseconds of CPU, user and system */
export function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Microseconds of CPU of the threads that live, as the scheduler counts them: for differences below a tick. */
export const cpuUs = (pid) =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000,
    0,
  )

/** megabytes: now, and the most since `resetPeak` */
export function memory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
  return { rss: of('VmRSS'), peak: of('VmHWM') }
}

export const resetPeak = (pid) => writeFileSync(`/proc/${pid}/clear_refs`, '5')
