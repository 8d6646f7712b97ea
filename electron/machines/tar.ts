/** Files as one archive, in the oldest form that every `tar` reads (POSIX.1-1988 ustar). */
export interface TarFile {
  /** from the archive's root, with slashes */
  path: string
  bytes: Buffer
  executable?: boolean
}

const block = 512

export function tarOf(files: readonly TarFile[]): Buffer {
  const parts = files.flatMap((file) => [
    headerOf(file),
    file.bytes,
    Buffer.alloc((block - (file.bytes.length % block)) % block),
  ])
  return Buffer.concat([...parts, Buffer.alloc(2 * block)])
}

function headerOf({ path, bytes, executable }: TarFile): Buffer {
  const header = Buffer.alloc(block)
  const [prefix, name] = divided(path)
  header.write(name, 0)
  header.write(executable ? '0000755' : '0000644', 100)
  // of whoever unpacks it
  for (const at of [108, 116]) header.write('0000000', at)
  header.write(bytes.length.toString(8).padStart(11, '0'), 124)
  header.write('00000000000', 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257, 'latin1')
  header.write(prefix, 345)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1')
  return header
}

/** A name has 100 bytes, the folders before it 155. */
function divided(path: string): [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= 100) return ['', path]
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return [prefix, name]
  }
  throw new Error(`${path} is too long a name for an archive`)
}
