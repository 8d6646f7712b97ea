import type { ToolDeclaration } from './types.ts'

/**
 * Returns a tool of Onward's as a protocol declares it. The same few are in every request of a session, so each is
 * written once.
 */
export function writtenOnce(write: (tool: ToolDeclaration) => object): (tool: ToolDeclaration) => Buffer {
  const written = new WeakMap<ToolDeclaration, Buffer>()
  return (tool) => {
    const known = written.get(tool)
    if (known) return known
    const bytes = Buffer.from(JSON.stringify(write(tool)))
    written.set(tool, bytes)
    return bytes
  }
}
