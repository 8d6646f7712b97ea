/** Child process of lock.test.ts: tries to lock the root and prints the result. */
import { systemClock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import { lockRoot } from '../lock.ts'

try {
  await lockRoot({ root: process.argv[2] ?? '', clock: systemClock() })
  console.log('held')
  setInterval(() => undefined, 1000)
} catch (error) {
  console.log(OnwardError.isInstance(error) ? `refused ${String(error.details.pid)}` : `broken ${String(error)}`)
}
