import { z } from 'zod'

const settingsShape = z.looseObject({ env: z.record(z.string(), z.unknown()).optional() })
export type Settings = z.infer<typeof settingsShape>

/** Parses an agent's settings; null: there are none, or the agent could not read them either. */
export function settingsIn(text: string | null): Settings | null {
  if (text === null) return null
  try {
    return settingsShape.safeParse(JSON.parse(text)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** The arguments that give an option of these names: `--name value`, `--name=value`, before `--`. */
export function givenOptions(
  args: readonly string[],
  names: readonly string[],
): readonly { at: number; words: number; value: string }[] {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).flatMap((word, at) => {
    const next = args[at + 1]
    if (names.includes(word)) return next === undefined ? [] : [{ at, words: 2, value: next }]
    const name = names.find((one) => one.startsWith('--') && word.startsWith(`${one}=`))
    return name === undefined ? [] : [{ at, words: 1, value: word.slice(name.length + 1) }]
  })
}

export const jsonFile = (path: string, content: unknown) => ({ path, content: `${JSON.stringify(content, null, 2)}\n` })
