// A process of its own: starts the engine on a home and tells the longest time its event loop was held up meanwhile.
// Loading the program's code is over by then: what is measured is what the engine does with the files it finds, and
// what `onward serve` does once it listens. What V8 made of the code is kept in the home, as by the program.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { watchLoop } from './loop-blocks.mjs'

const [keepPart, part, home] = process.argv.slice(2)
const require = createRequire(part)
const keepCode = require(keepPart).keepCompiledCode(home, 'bench', dirname(part))
const { createNodeHost, startEngine, loadLate } = require(part)
const { host, dispose } = await createNodeHost({ home, env: process.env, version: 'bench' })

const began = performance.now()
const loop = watchLoop()
const engine = await startEngine(host, { port: 0, onHandOver() {} })
const startMs = performance.now() - began
await keepCode(loadLate)
// records of earlier runs are read while the engine works already
await new Promise((done) => setTimeout(done, 400))
const blocks = await loop.end()
process.stdout.write(`${JSON.stringify({ longestMs: blocks[0].ms, engineMs: startMs, worst: blocks.slice(0, 4) })}\n`)
await engine.dispose()
await dispose()
process.exit(0)
