// The smallest HTTP/1.1 reader a measuring peer needs: heads, content-length and chunked bodies, on raw sockets.
// Raw because the load side must cost less than what it measures.

const HEAD_END = Buffer.from('\r\n\r\n')

/** Feeds bytes; calls onHead(firstLine, headers), onBody(bytes), onEnd(). Works for requests and responses. */
export function http1Reader({ onHead, onBody, onEnd }) {
  let state = 'head'
  let kept = null
  let left = 0

  const begin = (head) => {
    const [first, ...lines] = head.split('\r\n')
    const headers = {}
    for (const line of lines) {
      const colon = line.indexOf(':')
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
    }
    onHead(first, headers)
    if (headers['transfer-encoding'] === 'chunked') state = 'chunk-size'
    else {
      left = Number(headers['content-length'] ?? 0)
      state = 'body'
      if (left === 0) finish()
    }
  }
  const finish = () => {
    state = 'head'
    onEnd()
  }

  return function feed(bytes) {
    const b = kept ? Buffer.concat([kept, bytes]) : bytes
    kept = null
    let at = 0
    while (at < b.length) {
      if (state === 'head') {
        const end = b.indexOf(HEAD_END, at)
        if (end < 0) break
        const head = b.latin1Slice(at, end)
        at = end + 4
        begin(head)
      } else if (state === 'body') {
        const end = Math.min(b.length, at + left)
        onBody(b, at, end)
        left -= end - at
        at = end
        if (left === 0) finish()
      } else if (state === 'chunk-size') {
        const end = b.indexOf('\r\n', at, 'latin1')
        if (end < 0) break
        left = parseInt(b.latin1Slice(at, end), 16)
        at = end + 2
        state = left === 0 ? 'last' : 'chunk'
      } else if (state === 'chunk') {
        const end = Math.min(b.length, at + left)
        onBody(b, at, end)
        left -= end - at
        at = end
        if (left === 0) state = 'chunk-end'
      } else {
        if (b.length - at < 2) break
        at += 2
        if (state === 'last') finish()
        else state = 'chunk-size'
      }
    }
    if (at < b.length) kept = b.subarray(at)
  }
}
