import { createHash } from 'node:crypto'
import { z } from 'zod'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { ToolDeclaration } from '../protocol/server-tools.ts'
import type { Document, DocumentSpec, Store } from '../store/types.ts'
import type { CalledTool } from './types.ts'

/** A tool as a session's requests declare it. */
export interface FrozenTool {
  declaration: ToolDeclaration
  declared: CalledTool['declared']
}

const listShape = z.array(
  z.object({
    declared: z.enum(['every-turn', 'with-tools']),
    declaration: z.object({
      name: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
      strict: z.boolean(),
    }),
  }),
)
type Lists = Readonly<Record<string, readonly FrozenTool[]>>
const spec: DocumentSpec<Lists> = {
  path: 'tool-lists.json',
  version: 1,
  parse: (value) => z.record(z.string(), listShape).parse(value),
  whenCorrupt: {},
  asideWhenNewer: true,
}

/**
 * Lists of declared tools by name. A session keeps its list's name for life: if the list of a running session changed,
 * by a switch or a new version of Onward, its whole prompt would have to be paid for again. There are few different
 * lists, so sessions share them.
 */
export interface ToolLists {
  load(): Promise<void>
  /** returns the name of a list, which is kept from now on */
  keep(tools: readonly CalledTool[]): string
  /** null: not known any more */
  get(name: string): readonly FrozenTool[] | null
}

export function createToolLists({ store, log }: { store: Store; log: Log }): ToolLists {
  let lists: Record<string, readonly FrozenTool[]> = {}
  let document: Document<Lists> | null = null
  /** lists of tools are made again and again from the same tools */
  const names = new WeakMap<ToolDeclaration, string>()

  const save = () => {
    document
      ?.update((kept) => ({ ...kept, ...lists }))
      .catch((error: unknown) =>
        log.error(
          { error: messageOf(error) },
          'a list of tools could not be kept; its sessions may get another one after a restart',
        ),
      )
  }
  const textOf = ({ declaration, declared }: FrozenTool): string => {
    const known = names.get(declaration)
    if (known !== undefined) return known
    const text = JSON.stringify([declared, declaration])
    names.set(declaration, text)
    return text
  }
  return {
    async load() {
      document = await store.document(spec)
      lists = { ...document.get(), ...lists }
      if (Object.keys(lists).length > 0) save()
    },
    keep(tools) {
      const frozen = tools.map((tool): FrozenTool => ({ declaration: tool.declaration(), declared: tool.declared }))
      const name = createHash('sha256').update(frozen.map(textOf).join('\n')).digest('base64url').slice(0, 16)
      if (!(name in lists)) {
        lists = { ...lists, [name]: frozen }
        save()
      }
      return name
    },
    get: (name) => lists[name] ?? null,
  }
}
