// A process of its own: starts the engine on a home and tells the longest time its event loop was held up meanwhile.
// Loading the program's code is over by then: what is measured is what the engine does with the files it finds.
import { createRequire } from 'node:module'
import { watchLoop } from './loop-blocks.mjs'

const [part, home] = process.argv.slice(2)
const require = createRequire(part)
const { createNodeHost, startEngine } = require(part)
const { host, dispose } = await createNodeHost({ home, env: process.env, version: 'bench' })

const began = performance.now()
const loop = watchLoop()
const engine = await startEngine(host, { port: 0, onHandOver() {} })
const startMs = performance.now() - began
// records of earlier runs are read while the engine works already
await new Promise((done) => setTimeout(done, 400))
const blocks = await loop.end()
process.stdout.write(`${JSON.stringify({ longestMs: blocks[0].ms, engineMs: startMs, worst: blocks.slice(0, 4) })}\n`)
await engine.dispose()
await dispose()
process.exit(0)
