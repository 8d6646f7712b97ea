import type { ControlApi } from '../../../../shared/control/contract.ts'
import { OnwardError } from '../../base/errors.ts'

type Pending = 'turn' | 'activity' | 'providers' | 'routing' | 'routeCheck' | 'testProvider' | 'addProvider' | 'removeProvider' | 'saveRoute' | 'undoConfig' | 'setResumeAtReset' | 'cancelResume' | 'setCapture'

/** Calls of issue 4 that are being built; each leaves this list as its file arrives. */
export function pendingApi(): Pick<ControlApi, Pending> {
  const refuse = async (): Promise<never> => { throw new OnwardError('not-built', 'This is not part of this version yet.', { status: 501 }) }
  return {
    turn: refuse, activity: refuse, providers: refuse, routing: refuse, routeCheck: refuse, testProvider: refuse, addProvider: refuse, removeProvider: refuse,
    saveRoute: refuse, undoConfig: refuse, setResumeAtReset: refuse, cancelResume: refuse, setCapture: refuse,
  }
}
