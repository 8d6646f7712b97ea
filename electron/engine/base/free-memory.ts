interface Transferable {
  transfer(bytes: number): ArrayBuffer
}

let free: ((memory: ArrayBuffer) => void) | null = null

/**
 * Frees the memory of a Buffer at once, where all of it is the Buffer's own: it is empty from then on, so nobody
 * else may have it, the system's writes included. Without that it weighs until a collection, and much of it makes that
 * a major one.
 */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  if (!(buffer instanceof ArrayBuffer) || byteLength !== buffer.byteLength) return
  free ??= freer()
  free(buffer)
}

function freer(): (memory: ArrayBuffer) => void {
  if ('transfer' in ArrayBuffer.prototype) return (memory) => void (memory as ArrayBuffer & Transferable).transfer(0)
  // Node 20: what is handed to a closed port goes with the message. A microsecond each, as making the memory takes.
  const { port1, port2 } = new MessageChannel()
  port1.close()
  port2.close()
  return (memory) => port1.postMessage(null, [memory])
}
