// The alarms of an engine that many agents have set theirs in: 100 000 in 10 000 sessions, none of them due for an
// hour.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const hour = 3_600_000
const perSession = 10

const id = (i) =>
  `${((i * 2654435761) >>> 0).toString(16).padStart(8, '0')}-7b1e-4c2a-9d3f-${String(i).padStart(12, '0')}`
const words = (i) =>
  `Look whether the build of branch fix-${i % 400} has ended; if it failed, read ` +
  'its log, say what broke it and go on with the next of the open points.'

export const sessionOf = (i) => id(i)

/** One that rings in `together` sessions at the same instant, and others over thirty days. */
function task(session, i, now, together) {
  const n = session * perSession + i
  return {
    taskId: id(1_000_000 + n),
    sessionId: id(session),
    dueAtMs: i === 0 && session < together ? now + hour : now + 2 * hour + ((n * 7_919_317) % (30 * 24 * hour)),
    createdAtMs: now - hour,
    updatedAtMs: now - hour,
    task: words(n),
    ...(n % 4
      ? {}
      : { tool: 'bash', arguments: JSON.stringify({ command: `gh run view --log-failed --branch fix-${n % 400}` }) }),
    setBy: n % 5 ? 'model' : 'user',
    deliveryCount: 0,
  }
}

/** Fills `root`. @returns when the first `together` sessions have one due, epoch milliseconds */
export function fillAlarms(root, { sessions = 10_000, together }) {
  const now = Date.now()
  mkdirSync(join(root, 'clock'), { recursive: true })
  for (let i = 0; i < sessions; i++) {
    const tasks = Array.from({ length: perSession }, (_, j) => task(i, j, now, together))
    writeFileSync(
      join(root, 'clock', `${id(i)}.json`),
      JSON.stringify({ version: 1, state: { sessionId: id(i), tasks, updatedAtMs: now - hour } }),
      { mode: 0o600 },
    )
  }
  return now + hour
}
