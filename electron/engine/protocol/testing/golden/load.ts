import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { wireProtocols, type WireProtocol } from '../../canonical/request.ts'
import { factsOf, type Facts } from './facts.ts'

/** A vendor's answer as it sends it, byte for byte, and what it says. */
export interface Golden {
  /** `chat/xai/reasoning-beside-output` */
  name: string
  protocol: WireProtocol
  form: 'stream' | 'body'
  bytes: Buffer
  facts: Facts
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** All files below `<protocol>/golden`. @throws Error for a file without facts, or facts that are none */
export const goldens = (): Golden[] =>
  wireProtocols.flatMap((protocol) =>
    filesBelow(join(root, protocol, 'golden'))
      .filter((file) => !file.endsWith('.facts.json'))
      .map((file) => read(protocol, file)),
  )

function read(protocol: WireProtocol, file: string): Golden {
  const plain = join(dirname(file), basename(file).replace(/\.(?:sse|json)$/, ''))
  const name = relative(root, plain).split(sep).join('/').replace('/golden/', '/')
  return {
    name,
    protocol,
    form: file.endsWith('.sse') ? 'stream' : 'body',
    bytes: readFileSync(file),
    facts: factsOf(name, readFileSync(`${plain}.facts.json`, 'utf8')),
  }
}

const filesBelow = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
