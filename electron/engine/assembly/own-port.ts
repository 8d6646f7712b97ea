import { createServer } from 'node:net'

/**
 * Below the ports that Linux, macOS and Windows give to connections and to listeners on port 0: no other program gets
 * one of these.
 */
const lowest = 20_000
const ports = 12_000
const tries = 50

/**
 * Returns a free port, if the config leaves the choice to the system: the session folder is named by it, so it has to
 * be known first. Until the gateway listens there, the system must give it to no connection.
 * @param fraction at random, from 0 to below 1
 */
export async function freePort(host: string, fraction: () => number): Promise<number> {
  for (let n = 0; n < tries; n++) {
    const port = lowest + Math.floor(fraction() * ports)
    if (await isFree(host, port)) return port
  }
  return anyPort(host)
}

function isFree(host: string, port: number): Promise<boolean> {
  return listening(host, port).then(
    () => true,
    () => false,
  )
}

const anyPort = (host: string): Promise<number> => listening(host, 0)

/** Listens there for a moment. */
function listening(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, host, () => {
      const address = probe.address()
      probe.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })
}
