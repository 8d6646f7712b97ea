/** A line for borrowed providers, over the own socket of another machine's engine. */
import { setTimeout as wait } from 'node:timers/promises'
import { homeId } from '../../shared/control/proof.ts'
import { proveToEngine } from '../../shared/control/prove-to-engine.ts'
import { OnwardError } from '../engine/base/errors.ts'
import { socketAt } from '../engine/base/network/own-socket.ts'
import { lendPath, type Line } from '../engine/providers/via/line.ts'
import { socketLine } from '../engine/providers/via/socket-line.ts'
import type { Link } from './open-link.ts'

/** between the end of a connection and that of the ssh that carried it */
const lostWithinMs = 1_000

/** @throws OnwardError `machine-…` */
export async function lendLine(link: Link): Promise<Line> {
  const { machine, engine, channel } = link
  const Socket = socketAt(channel)
  const socket = new Socket(`ws://onward${lendPath}`)
  const lost = async () =>
    Promise.race([link.lost, wait(lostWithinMs, new OnwardError('machine-line-lost', 'the connection ended'))])
  const line = socketLine(socket, lost)
  socket.once('close', () => link.close())
  // its close follows, and `lost` says why
  socket.on('error', () => undefined)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('the connection ended')))
    })
    const proved = await proveToEngine(socket, { id: homeId, key: engine.token }, lendPath)
    if (proved.kind !== 'admitted') throw new Error(proved.kind)
    return line
  } catch (error) {
    socket.terminate()
    link.close()
    throw new OnwardError(
      'machine-contract',
      `The engine on ${machine.name} is Onward ${engine.version}, which lends nothing. Update it there.`,
      { cause: error, details: { machine: machine.name } },
    )
  }
}
