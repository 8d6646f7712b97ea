/**
 * The little of D-Bus that asking one question takes (D-Bus Specification, "Message Protocol"): a method call with
 * text arguments, and the reply to it. Little-endian; every value stands at a multiple of its own size. Pure.
 */
export interface MethodCall {
  serial: number
  destination: string
  path: string
  interface: string
  member: string
  args: readonly string[]
}

const headerField = { path: 1, interface: 2, member: 3, replySerial: 5, destination: 6, signature: 8 } as const
const methodCall = 1

export function encodeCall(call: MethodCall): Buffer {
  const body = createWriter()
  for (const arg of call.args) body.text(arg)
  const fields = createWriter()
  const field = (code: number, type: 's' | 'o' | 'g', value: string) => {
    fields.align(8).byte(code).signature(type)
    if (type === 'g') fields.signature(value)
    else fields.text(value)
  }
  field(headerField.path, 'o', call.path)
  field(headerField.interface, 's', call.interface)
  field(headerField.member, 's', call.member)
  field(headerField.destination, 's', call.destination)
  if (call.args.length > 0) field(headerField.signature, 'g', 's'.repeat(call.args.length))
  const head = createWriter()
    .byte('l'.charCodeAt(0))
    .byte(methodCall)
    .byte(0)
    .byte(1)
    .u32(body.size)
    .u32(call.serial)
    .u32(fields.size)
  return Buffer.concat([head.bytes(), fields.align(8).bytes(), body.bytes()])
}

export interface Message {
  kind: 'call' | 'return' | 'error' | 'signal'
  replyTo: number | null
  body: Buffer
  /** bytes of the whole message */ size: number
}

const kinds = ['call', 'return', 'error', 'signal'] as const
const fixedHeader = 16
/** The bus itself allows 128 MiB; an answer to our question has less than a page. */
const mostBytes = 1 << 20

/** The first message of what came so far; null when more bytes are needed. @throws on what is no message */
export function firstMessage(bytes: Buffer): Message | null {
  if (bytes.length < fixedHeader) return null
  if (bytes[0] !== 'l'.charCodeAt(0)) throw new Error('the bus answers in big-endian')
  const kind = kinds[(bytes[1] ?? 0) - 1]
  if (!kind) throw new Error('the bus sent a message of an unknown kind')
  const fieldsEnd = fixedHeader + bytes.readUInt32LE(12)
  const bodyStart = aligned(fieldsEnd, 8)
  const size = bodyStart + bytes.readUInt32LE(4)
  if (size > mostBytes) throw new Error(`the bus sent a message of ${size} bytes`)
  if (bytes.length < size) return null
  return { kind, replyTo: replySerial(bytes.subarray(0, fieldsEnd)), body: bytes.subarray(bodyStart, size), size }
}

/** Header fields hold only texts, signatures and 32-bit numbers. */
function replySerial(head: Buffer): number | null {
  for (let at = fixedHeader; at < head.length;) {
    at = aligned(at, 8)
    const code = head.readUInt8(at)
    const type = String.fromCharCode(head.readUInt8(at + 2))
    at += 4
    if (type === 'g') {
      at += head.readUInt8(at) + 2
      continue
    }
    at = aligned(at, 4)
    const value = head.readUInt32LE(at)
    if (code === headerField.replySerial && type === 'u') return value
    if (type !== 'u' && type !== 's' && type !== 'o') throw new Error(`the bus sent a header of type ${type}`)
    at += type === 'u' ? 4 : value + 5
  }
  return null
}

const aligned = (at: number, size: number): number => Math.ceil(at / size) * size

interface Writer {
  readonly size: number
  align(size: number): Writer
  byte(value: number): Writer
  u32(value: number): Writer
  /** a length in four bytes, the text, a zero byte */
  text(value: string): Writer
  /** a length in one byte, the text, a zero byte */
  signature(value: string): Writer
  bytes(): Buffer
}

function createWriter(): Writer {
  const parts: Buffer[] = []
  let size = 0
  const add = (part: Buffer): Writer => {
    parts.push(part)
    size += part.length
    return writer
  }
  const writer: Writer = {
    get size() {
      return size
    },
    align: (to) => add(Buffer.alloc(aligned(size, to) - size)),
    byte: (value) => add(Buffer.from([value])),
    u32(value) {
      const part = Buffer.alloc(4)
      part.writeUInt32LE(value)
      return add(part)
    },
    text(value) {
      writer.align(4).u32(Buffer.byteLength(value))
      return add(Buffer.from(`${value}\0`))
    },
    signature(value) {
      writer.byte(value.length)
      return add(Buffer.from(`${value}\0`))
    },
    bytes: () => Buffer.concat(parts),
  }
  return writer
}
