/**
 * The parts of undici in use, by file: its index also loads fetch, WebSocket, caches and mocks, which costs a start
 * some 40 ms and 8 MB (measured with 7.30.2 on Node 20; the version is pinned, the tests beside this would notice a
 * move).
 */
import { parseHeaders } from 'undici/lib/core/util.js'
import Client from 'undici/lib/dispatcher/client.js'
import Pool from 'undici/lib/dispatcher/pool.js'

export { Client, parseHeaders, Pool }
