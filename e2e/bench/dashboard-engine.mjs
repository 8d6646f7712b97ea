// An engine whose dashboard is measured, with sessions that came by turns through the proxy.
import { chatBody } from './bodies.mjs'
import { start, temporaryFolder } from './children.mjs'
import { connect, requestBytes } from './load.mjs'
import { program, writeConfig } from './onward.mjs'
import { bundle } from './parts.mjs'

const path = '/v1/chat/completions'
const wait = (ms) => new Promise((done) => setTimeout(done, ms))
const CONNECTIONS = 5

/** @param of the program of another build than this one, to compare them in turn */
export async function startWithSessions(count, upstream, of = program) {
  const home = temporaryFolder()
  writeConfig(home, upstream.port)
  const engine = await start([of, 'serve', '--json', '--home', home, '--port', '0'], '1')
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(engine.port)))
  const body = chatBody(2_048)
  const requests = Array.from({ length: count }, (_, i) => requestBytes({ path, port: engine.port }, body, `work${i}`))
  for (const [i, request] of requests.entries()) await connections[i % CONNECTIONS].send(request)
  const part = await bundle({ viewer: 'e2e/bench/viewer-part.ts' })
  const viewer = await (await part.load('viewer')).view(home)
  return {
    /** how many updates a viewer was sent since the last time it was asked */
    updates: () => viewer.updates(),
    /** a new one, since a link opens one window */
    link: () => viewer.link(),
    /** Has so many turns a second come, of one session after the other. @returns how to stop */
    turns(perSecond) {
      let [next, over] = [0, false]
      const done = Promise.all(
        connections.map(async ({ send }) => {
          while (!over) {
            const paced = wait((CONNECTIONS * 1_000) / perSecond)
            await send(requests[next++ % count])
            await paced
          }
        }),
      )
      return () => {
        over = true
        return done
      }
    },
    async stop() {
      for (const connection of connections) connection.close()
      viewer.stop()
      await engine.stop()
      part.dispose()
    },
  }
}
