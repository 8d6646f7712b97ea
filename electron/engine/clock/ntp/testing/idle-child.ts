/** Child process of udp.test.ts: asks a server that never answers, and does nothing else. argv: its address */
import { systemClock } from '../../../base/clock.ts'
import { silentLog } from '../../../base/log.ts'
import { systemRandom } from '../../../base/ids.ts'
import { createStore } from '../../../store/create-store.ts'
import { memoryFiles } from '../../../store/testing/memory-files.ts'
import { createTimeSync } from '../../time-sync.ts'

const clock = systemClock()
const store = createStore({ root: '/r', files: memoryFiles(), clock, log: silentLog, onProblem: () => undefined })
const ntp = { enabled: true, servers: [process.argv[2] ?? ''], timeoutMs: 3_600_000, refreshMs: 3_600_000 }
await createTimeSync({ store, clock, random: systemRandom(), log: silentLog, env: {}, config: () => ntp }).start()
console.log('started')
