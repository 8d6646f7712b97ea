/**
 * A real engine under a host that does not hand over; built and started by start-staying-engine.ts. Argument: the home.
 */
import { createNodeHost } from '../../../electron/hosts/node-host.ts'
import { startEngine } from '../../../electron/engine/engine.ts'

const [, , home = ''] = process.argv
const { host, dispose } = await createNodeHost({ home, env: process.env, version: '0.1.0' })
const engine = await startEngine(host, {
  port: 0,
  onHandOver: () => host.log.info({}, 'asked to hand over, and stays'),
})
const stay = setInterval(() => undefined, 1 << 30)
process.once('SIGTERM', () => {
  clearInterval(stay)
  void engine.dispose().then(dispose)
})
process.stdout.write(`${JSON.stringify({ port: engine.address.port })}\n`)
